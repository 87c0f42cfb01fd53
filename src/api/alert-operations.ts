/** Operations of alerts. */
import { alertChange, alertInput, alertSnooze } from '#src/alerts/contract.ts';
import {
  AlertAnswer,
  AlertItem,
  AlertList,
  AlertPatch,
  AlertSnooze,
  alertPath,
  ChangedAlertAnswer,
  NewAlert,
} from './alert-schemas.ts';
import { aboutProject, noted, type Operation } from './operation.ts';
import { readInput } from './read-input.ts';
import * as schemas from './schemas.ts';

export const alertOperations: readonly Operation[] = [
  aboutProject({
    id: 'listAlerts',
    path: '/projects/:project/alerts',
    summary: 'List alerts: those that fire first',
    scope: 'query:read',
    minRole: 'viewer',
    params: schemas.projectPath,
    query: schemas.nothing,
    answer: AlertList,
    run: async ({ alerts }, reached) => ({ alerts: await alerts.list(reached) }),
  }),
  aboutProject({
    id: 'createAlert',
    method: 'post',
    path: '/projects/:project/alerts',
    summary: 'Create an alert',
    scope: 'alerts:write',
    minRole: 'member',
    params: schemas.projectPath,
    query: schemas.nothing,
    body: NewAlert,
    answer: ChangedAlertAnswer,
    run: (rooms, reached, { body }) =>
      rooms.alerts.create(reached, readInput(alertInput, body), noted(rooms, reached, 'alert.created')),
  }),
  aboutProject({
    id: 'getAlert',
    path: '/projects/:project/alerts/:alert',
    summary: 'Get an alert with its history and messages',
    scope: 'query:read',
    minRole: 'viewer',
    params: alertPath,
    query: schemas.nothing,
    answer: AlertAnswer,
    run: ({ alerts }, reached, { params }) => alerts.get(reached, params.alert),
  }),
  aboutProject({
    id: 'updateAlert',
    method: 'patch',
    path: '/projects/:project/alerts/:alert',
    summary: 'Change an alert, or turn it on or off',
    scope: 'alerts:write',
    minRole: 'member',
    params: alertPath,
    query: schemas.nothing,
    body: AlertPatch,
    answer: ChangedAlertAnswer,
    run(rooms, reached, { params, body }) {
      const { alert, ...change } = readInput(alertChange, { ...body, alert: params.alert });
      return rooms.alerts.update(reached, alert, change, noted(rooms, reached, 'alert.changed'));
    },
  }),
  aboutProject({
    id: 'acknowledgeAlert',
    method: 'post',
    path: '/projects/:project/alerts/:alert/acknowledge',
    summary: 'Acknowledge an alert that fires: no more reminders',
    scope: 'alerts:write',
    minRole: 'member',
    params: alertPath,
    query: schemas.nothing,
    body: schemas.nothing,
    answer: AlertItem,
    run: (rooms, reached, { params }) =>
      rooms.alerts.acknowledge(reached, params.alert, noted(rooms, reached, 'alert.acknowledged')),
  }),
  aboutProject({
    id: 'snoozeAlert',
    method: 'post',
    path: '/projects/:project/alerts/:alert/snooze',
    summary: 'Send no messages of an alert for some hours',
    scope: 'alerts:write',
    minRole: 'member',
    params: alertPath,
    query: schemas.nothing,
    body: AlertSnooze,
    answer: AlertItem,
    run(rooms, reached, { params, body }) {
      const { alert, hours } = readInput(alertSnooze, { ...body, alert: params.alert });
      return rooms.alerts.snooze(reached, alert, hours, noted(rooms, reached, 'alert.snoozed'));
    },
  }),
  aboutProject({
    id: 'deleteAlert',
    method: 'delete',
    path: '/projects/:project/alerts/:alert',
    summary: 'Delete an alert and return it',
    scope: 'alerts:write',
    minRole: 'member',
    params: alertPath,
    query: schemas.nothing,
    answer: AlertAnswer,
    async run(rooms, reached, { params }) {
      const alert = await rooms.alerts.get(reached, params.alert);
      await rooms.alerts.remove(reached, params.alert, noted(rooms, reached, 'alert.deleted'));
      return alert;
    },
  }),
];
