/** Signing in, and the links of emails. */
export * as confirm from '../screens/entrance/Confirm.tsx';
export * as forgot from '../screens/entrance/Forgot.tsx';
export * as hosted from '../screens/entrance/Hosted.tsx';
export * as invite from '../screens/entrance/Invite.tsx';
export * as newEmail from '../screens/entrance/NewEmail.tsx';
export * as newPassword from '../screens/entrance/NewPassword.tsx';
export * as secondStep from '../screens/entrance/SecondStep.tsx';
export * as setUp from '../screens/entrance/SetUp.tsx';
export * as signIn from '../screens/entrance/SignIn.tsx';
export * as signInLink from '../screens/entrance/SignInLink.tsx';
