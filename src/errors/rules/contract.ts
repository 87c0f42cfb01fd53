/** Rules of a project about its errors: which belong together, and which are not sent. Stored in the project's settings. */
import * as z from 'zod/mini';
import { lineOf } from '#src/kit/line.ts';
import {
  groupingResults,
  MAX_RULE_CONDITIONS,
  MAX_RULE_VALUE,
  MAX_RULES,
  ruleFields,
  ruleOperators,
  suppressionFields,
} from './values.ts';

const ruleValue = z.string().check(z.minLength(1), z.maxLength(MAX_RULE_VALUE));
const operator = z.enum(ruleOperators);
const match = z.enum(['all', 'any']);
const ruleId = z.string().check(z.regex(/^[\w-]{1,40}$/));

const conditionsOf = <Field extends z.ZodMiniType>(field: Field) =>
  z.array(z.object({ field, operator, value: ruleValue })).check(z.minLength(1), z.maxLength(MAX_RULE_CONDITIONS));

export const ruleConditions = conditionsOf(z.enum(ruleFields));

/** The first rule that matches decides. Its id stays when it is changed, and so do its issues. */
export const groupingRule = z.object({
  id: ruleId,
  name: lineOf(100),
  match,
  of: ruleConditions,
  by: z.enum(groupingResults),
});
export type GroupingRule = z.infer<typeof groupingRule>;

/** Errors that match are not sent by clients that know the rule, and not grouped from others. */
export const suppressionRule = z.object({
  id: ruleId,
  match,
  of: conditionsOf(z.enum(suppressionFields)),
});
export type SuppressionRule = z.infer<typeof suppressionRule>;

export const groupingRules = z.array(groupingRule).check(z.maxLength(MAX_RULES));
export const suppressionRules = z.array(suppressionRule).check(z.maxLength(MAX_RULES));

export interface ErrorRules {
  groupingRules: GroupingRule[];
  suppressionRules: SuppressionRule[];
}

export type RuleCondition = z.infer<typeof ruleConditions>[number];
