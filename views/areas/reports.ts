/** Reports by email: their screen, and the dialog of other screens. */

export { ReportDialog } from '#views/reports/ReportDialog.tsx';
export * as reports from '#views/screens/reports/Reports.tsx';
