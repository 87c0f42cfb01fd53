/** CSS modules answer class names with the names they have in the built sheet. */
declare module '*.module.css' {
  const classes: Readonly<Record<string, string>>;
  export default classes;
}

/** A global sheet, imported for its rules. */
declare module '*/main.css' {}
