/**
 * Statistics of experiments: comparisons of rates, means and ratios. Pure.
 *
 * Intervals are asymptotic confidence sequences: they hold at every look, so a result may be watched daily (Waudby-Smith, Arbour, Sinha, Kennedy and
 * Ramdas, "Time-uniform central limit theory and asymptotic confidence sequences", 2021; GrowthBook's sequential testing uses the same).
 */
import { ALPHA, MIN_CONVERSIONS, PLANNED_LIFT, POWER } from './values.ts';

export interface Arm {
  people: number;
  conversions: number;
}

/** What was estimated of an arm. */
export interface Estimate {
  people: number;
  /** People whose own value is not 0. */
  active: number;
  /** Null: not computable. */
  value: number | null;
  /** Of the value, the square of its standard error. */
  variance: number;
}

export interface Comparison {
  /** Relative change, with its intervals; null: not computable where the control has nothing. */
  lift: { value: number; from: number; to: number; once: { from: number; to: number } } | null;
  /** Chance of a value above that of the control, given these numbers alone; null without people. */
  better: number | null;
  /** The interval that holds at every look does not include zero. */
  isSignificant: boolean;
}

/** The sample at which intervals are the narrowest for what they promise, in people of both arms. */
const TUNED_FOR = 5_000;

/** @param comparisons made with the same control: the error is shared among them */
export function compareArms(control: Arm, arm: Arm, comparisons = 1, alpha = ALPHA): Comparison {
  return compareEstimates(rateOf(control), rateOf(arm), comparisons, alpha);
}

/** Of a share of people. */
export function rateOf({ people, conversions }: Arm): Estimate {
  const rate = people === 0 ? null : conversions / people;
  // The normal distribution is close to a rate early on: no number of conversions is asked for.
  return { people, active: people, value: rate, variance: rate === null ? 0 : (rate * (1 - rate)) / people };
}

/** As `compareArms`. A mean is not called different before `MIN_CONVERSIONS` people of each arm do something: it may depend on few of them. */
export function compareEstimates(control: Estimate, arm: Estimate, comparisons = 1, alpha = ALPHA): Comparison {
  const { value: p } = control;
  const { value: q } = arm;
  if (p === null || q === null) return { lift: null, better: null, isSignificant: false };
  const [v, w] = [control.variance, arm.variance];
  const spread = Math.sqrt(v + w);
  const better = spread === 0 ? null : normalCdf((q - p) / spread);
  if (p <= 0) return { lift: null, better, isSignificant: false };
  const value = q / p - 1;
  // By the delta method.
  const error = Math.sqrt(w / p ** 2 + (q ** 2 * v) / p ** 4);
  const people = control.people + arm.people;
  const around = (errors: number) => ({ from: value - error * errors, to: value + error * errors });
  const lift = {
    value,
    ...around(sequenceFactor(people, alpha / comparisons)),
    once: around(normalQuantile(1 - alpha / comparisons / 2)),
  };
  const isEnough = Math.min(control.active, arm.active) >= Math.min(MIN_CONVERSIONS, control.people, arm.people);
  return { lift, better, isSignificant: isEnough && error > 0 && (lift.from > 0 || lift.to < 0) };
}

/** How many standard errors an interval reaches after so many people, to hold at every look. */
export function sequenceFactor(people: number, alpha: number): number {
  const rho2 = (-2 * Math.log(alpha) + Math.log(-2 * Math.log(alpha) + 1)) / TUNED_FOR;
  const grown = people * rho2 + 1;
  return Math.sqrt(((2 * grown) / (people * rho2)) * Math.log(Math.sqrt(grown) / alpha));
}

/**
 * How likely the people of the variants, or a split further off, are by chance (chi-square); null without people.
 * @param shares expected, in any unit; a variant with a share of 0 must have nobody
 */
export function sampleRatio(people: readonly number[], shares: readonly number[]): number | null {
  const all = people.reduce((sum, each) => sum + each, 0);
  const whole = shares.reduce((sum, each) => sum + each, 0);
  if (all === 0 || whole === 0) return null;
  let statistic = 0;
  let degrees = -1;
  for (const [at, share] of shares.entries()) {
    const found = people[at] ?? 0;
    const expected = (all * share) / whole;
    if (expected === 0 && found > 0) return 0;
    if (expected === 0) continue;
    statistic += (found - expected) ** 2 / expected;
    degrees++;
  }
  return degrees < 1 ? null : chiSquareTail(statistic, degrees);
}

/** People of each arm with which a lift of a rate is found in four of five experiments. @param rate of the control, above 0 */
export function neededPeople(rate: number, lift = PLANNED_LIFT, comparisons = 1): number {
  const relativeOf = (of: number) => (1 - of) / of;
  return neededBy(relativeOf(rate), lift, comparisons, relativeOf(Math.min(1, rate * (1 + lift))));
}

/**
 * The same of any value: from so many people on, the interval that holds at every look excludes zero in that share of experiments.
 * Looks before then find some more.
 * @param relative variance of the values of people of the control, divided by the square of their mean
 * @param comparisons as of `compareArms`
 * @param ofArm as `relative`, of the arm with the lift
 */
export function neededBy(relative: number, lift = PLANNED_LIFT, comparisons = 1, ofArm = relative): number {
  // Of the lift, for one person of each arm: by the delta method, as `compareEstimates` has it.
  const variance = (relative + ofArm) * (1 + lift) ** 2;
  const beyond = normalQuantile(POWER);
  const isEnough = (people: number) =>
    lift * Math.sqrt(people / variance) >= sequenceFactor(2 * people, ALPHA / comparisons) + beyond;
  let [few, many] = [0, 1];
  while (!isEnough(many) && many < Number.MAX_SAFE_INTEGER / 2) [few, many] = [many, many * 2];
  while (many - few > 1) {
    const middle = Math.floor((few + many) / 2);
    if (isEnough(middle)) many = middle;
    else few = middle;
  }
  return many;
}

/** Of the standard normal distribution; accurate to 1e-7 (Abramowitz and Stegun, 26.2.17). */
export function normalCdf(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  const tail =
    density * t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return z >= 0 ? 1 - tail : tail;
}

/** By share. Those of the levels in use are few: one for each number of comparisons. */
const quantiles = new Map<number, number>();

/** The number below which this share of the standard normal distribution is; accurate to 1e-5 up to a share of 0.9999. */
export function normalQuantile(share: number): number {
  const known = quantiles.get(share);
  if (known !== undefined) return known;
  const found = findQuantile(share);
  quantiles.set(share, found);
  return found;
}

/** By halving. */
function findQuantile(share: number): number {
  let [low, high] = [-10, 10];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (normalCdf(middle) < share) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/**
 * Probability of at least this value. From that of one or two degrees each further two add a term; accurate to 1e-7
 * (Abramowitz and Stegun, 26.4.4 and 26.4.5).
 */
export function chiSquareTail(value: number, degrees: number): number {
  if (value <= 0) return 1;
  const isOdd = degrees % 2 === 1;
  let tail = isOdd ? 2 * (1 - normalCdf(Math.sqrt(value))) : Math.exp(-value / 2);
  // Of 3 or 4 degrees; the next is the last times value / degrees.
  let term = isOdd ? Math.sqrt((2 * value) / Math.PI) * Math.exp(-value / 2) : (value / 2) * Math.exp(-value / 2);
  for (let reached = isOdd ? 1 : 2; reached < degrees; reached += 2) {
    tail += term;
    term *= value / (reached + 2);
  }
  return Math.min(1, tail);
}
