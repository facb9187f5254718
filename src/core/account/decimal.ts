/** Amounts of money stay text, because a float cannot hold them exactly. */
const shape = /^\s*([+-]?)(\d+)(?:\.(\d*))?\s*$/;

export function isDecimal(text: string): boolean {
  return shape.test(text);
}

/** Negative, 0 or positive as `left` is below, equal to or above `right`; `undefined` if either is not a plain decimal. */
export function compareDecimals(left: string, right: string): number | undefined {
  const a = shape.exec(left);
  const b = shape.exec(right);
  if (!a || !b) return undefined;
  const places = Math.max(a[3]?.length ?? 0, b[3]?.length ?? 0);
  const difference = scaled(a, places) - scaled(b, places);
  if (difference === 0n) return 0;
  return difference < 0n ? -1 : 1;
}

/** Returns `left` minus `right`, exactly; `undefined` if either is not a plain decimal. */
export function subtractDecimals(left: string, right: string): string | undefined {
  const a = shape.exec(left);
  const b = shape.exec(right);
  if (!a || !b) return undefined;
  const places = Math.max(a[3]?.length ?? 0, b[3]?.length ?? 0);
  const difference = scaled(a, places) - scaled(b, places);
  const digits = String(difference < 0n ? -difference : difference).padStart(places + 1, '0');
  const fraction = digits.slice(digits.length - places).replace(/0+$/, '');
  const whole = digits.slice(0, digits.length - places);
  return `${difference < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

function scaled([, sign, whole = '0', fraction = '']: RegExpExecArray, places: number): bigint {
  const amount = BigInt(whole + fraction.padEnd(places, '0'));
  return sign === '-' ? -amount : amount;
}
