/** Operations of reports by email. */
import { reportChange, reportInput } from '#src/reports/contract.ts';
import { aboutProject, noted, type Operation } from './operation.ts';
import { readInput } from './read-input.ts';
import {
  NewReport,
  ReportAnswer,
  ReportItem,
  ReportList,
  ReportPatch,
  ReportSent,
  reportPath,
} from './report-schemas.ts';
import * as schemas from './schemas.ts';

export const reportOperations: readonly Operation[] = [
  aboutProject({
    id: 'listReports',
    path: '/projects/:project/reports',
    summary: 'List email reports with their recipients',
    scope: 'reports:read',
    minRole: 'viewer',
    params: schemas.projectPath,
    query: schemas.nothing,
    answer: ReportList,
    run: async ({ reports }, reached) => ({ reports: await reports.list(reached) }),
  }),
  aboutProject({
    id: 'createReport',
    method: 'post',
    path: '/projects/:project/reports',
    summary: 'Create an email report. Addresses outside the team confirm first.',
    scope: 'reports:write',
    minRole: 'member',
    params: schemas.projectPath,
    query: schemas.nothing,
    body: NewReport,
    answer: ReportItem,
    run: (rooms, reached, { body }) =>
      rooms.reports.create(reached, readInput(reportInput, body), noted(rooms, reached, 'report.created')),
  }),
  aboutProject({
    id: 'getReport',
    path: '/projects/:project/reports/:report',
    summary: 'Get an email report with its history',
    scope: 'reports:read',
    minRole: 'viewer',
    params: reportPath,
    query: schemas.nothing,
    answer: ReportAnswer,
    run: ({ reports }, reached, { params }) => reports.get(reached, params.report),
  }),
  aboutProject({
    id: 'updateReport',
    method: 'patch',
    path: '/projects/:project/reports/:report',
    summary: 'Change an email report, or pause it',
    scope: 'reports:write',
    minRole: 'member',
    params: reportPath,
    query: schemas.nothing,
    body: ReportPatch,
    answer: ReportItem,
    run(rooms, reached, { params, body }) {
      const { report, ...change } = readInput(reportChange, { ...body, report: params.report });
      return rooms.reports.update(reached, report, change, noted(rooms, reached, 'report.changed'));
    },
  }),
  aboutProject({
    id: 'sendReport',
    method: 'post',
    path: '/projects/:project/reports/:report/send',
    summary: 'Send an email report now, up to three times an hour',
    scope: 'reports:write',
    minRole: 'member',
    isHeavy: true,
    params: reportPath,
    query: schemas.nothing,
    body: schemas.nothing,
    answer: ReportSent,
    run: ({ reports }, reached, { params }) => reports.sendNow(reached, params.report),
  }),
  aboutProject({
    id: 'deleteReport',
    method: 'delete',
    path: '/projects/:project/reports/:report',
    summary: 'Delete an email report and return it',
    scope: 'reports:write',
    minRole: 'member',
    params: reportPath,
    query: schemas.nothing,
    answer: ReportAnswer,
    async run(rooms, reached, { params }) {
      const report = await rooms.reports.get(reached, params.report);
      await rooms.reports.remove(reached, params.report, noted(rooms, reached, 'report.deleted'));
      return report;
    },
  }),
];
