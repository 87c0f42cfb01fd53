/**
 * Sums of numbers as they are written in decimals: 0.1 and 0.2 are 0.3, at every size and in any order. Pure.
 */

/** `digits` times ten to the power of minus `scale`. */
export interface Decimal {
  digits: bigint;
  scale: number;
}

/** Numbers of up to four decimals and fifteen digits are added as whole ten-thousandths. */
const PARTS = 10_000;
const PARTS_SCALE = 4;
const MAX_PARTS = 1e15;

export class DecimalSum {
  private parts = 0;
  private rest: Decimal | null = null;

  add(value: number): void {
    const parts = Math.round(value * PARTS);
    if (parts / PARTS !== value || parts > MAX_PARTS || parts < -MAX_PARTS) {
      this.rest = added(this.rest, decimalOf(value));
      return;
    }
    const sum = this.parts + parts;
    if (Number.isSafeInteger(sum)) {
      this.parts = sum;
      return;
    }
    this.rest = added(this.rest, { digits: BigInt(this.parts), scale: PARTS_SCALE });
    this.parts = parts;
  }

  addDecimal(value: Decimal): void {
    this.rest = added(this.rest, value);
  }

  get decimal(): Decimal {
    return added(this.rest, { digits: BigInt(this.parts), scale: PARTS_SCALE });
  }

  /** The nearest number. */
  get value(): number {
    return this.rest === null ? this.parts / PARTS : numberOfDecimal(this.decimal);
  }
}

/** The number nearest to a decimal; the largest there is for those beyond it. */
export function numberOfDecimal({ digits, scale }: Decimal): number {
  const number = Number(`${digits}e${-scale}`);
  return Math.min(Math.max(number, -Number.MAX_VALUE), Number.MAX_VALUE);
}

/** A number as the shortest decimal that means it. */
export function decimalOf(value: number): Decimal {
  const [, sign = '', whole = '0', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? [];
  const scale = fraction.length - Number(exponent);
  const digits = BigInt(sign + whole + fraction);
  return scale < 0 ? { digits: digits * 10n ** BigInt(-scale), scale: 0 } : { digits, scale };
}

function added(one: Decimal | null, other: Decimal): Decimal {
  if (one === null) return other;
  const scale = Math.max(one.scale, other.scale);
  return { digits: digitsAt(one, scale) + digitsAt(other, scale), scale };
}

function digitsAt({ digits, scale }: Decimal, wanted: number): bigint {
  return wanted === scale ? digits : digits * 10n ** BigInt(wanted - scale);
}

/** To the fifteen digits that a number has room for: what adding and dividing leave behind them goes. */
export function withoutNoise(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(15));
}
