/** A field for an address: nothing corrects or capitalizes what is typed. Required. */
import { TextField, type TextFieldProps } from './Field.tsx';

/** `username`: theirs, by which they sign in. */
export function EmailField(
  props: Pick<TextFieldProps, 'label' | 'hint' | 'error'> & {
    autoComplete: 'username' | 'username webauthn' | 'email' | 'off';
  },
) {
  return <TextField {...props} name="email" type="email" autoCapitalize="none" spellCheck={false} required />;
}
