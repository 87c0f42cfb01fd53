/** How events come in, and how the installation is doing. */
export * as ingestion from '../screens/collect/Ingestion.tsx';
export * as status from '../screens/status/Status.tsx';
