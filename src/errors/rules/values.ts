/** Constants of the rules of errors, without schemas: the browser reads them too. */

export const MAX_RULES = 50;
export const MAX_RULE_CONDITIONS = 10;
export const MAX_RULE_VALUE = 500;

/** What a rule looks at: of the exception and its causes, any. `file` and `function`: of any frame. */
export const ruleFields = ['type', 'message', 'file', 'function', 'release'] as const;
export type RuleField = (typeof ruleFields)[number];

/** Fields that clients know before they send: only these can be suppressed. */
export const suppressionFields = ['type', 'message'] as const;

/** `contains` ignores case, as clients do. */
export const ruleOperators = ['equals', 'notEquals', 'contains', 'notContains'] as const;
export type RuleOperator = (typeof ruleOperators)[number];

/** What a grouping rule makes of the errors that match: one issue, or one of each type or message. */
export const groupingResults = ['one', 'type', 'message'] as const;
export type GroupingResult = (typeof groupingResults)[number];
