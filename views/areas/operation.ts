/** How events come in, whether emails go out, and how the installation is doing. */
export * as ingestion from '../screens/collect/Ingestion.tsx';
export * as mail from '../screens/mail/Mail.tsx';
export * as status from '../screens/status/Status.tsx';
