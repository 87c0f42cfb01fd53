/** JSON as it arrives from clients: the type of every captured value, and how to set one safely. Pure. */

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };
export type JsonObject = { [key: string]: JsonValue };

/** Sets a property safely: `__proto__` becomes plain data. */
export function putProperty(target: JsonObject, name: string, value: JsonValue): void {
  if (name === '__proto__') {
    Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
  } else {
    target[name] = value;
  }
}
