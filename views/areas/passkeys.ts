/** What passkeys need of the browser. */
export { startAuthentication, startRegistration } from '@simplewebauthn/browser';
