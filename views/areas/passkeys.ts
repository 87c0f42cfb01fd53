/** Browser code of passkeys. */
export { startAuthentication, startRegistration } from '@simplewebauthn/browser';
