import { isDigit } from './bytes';

let value: f64 = 0;

/** The number read last. */
export function numberRead(): f64 {
  return value;
}

/** Returns the position after an ordinary number that begins at `at`, or 0 if it requires the full check. */
export function numberEnd(at: usize): usize {
  const isNegative = load<u8>(at) === 0x2d;
  if (isNegative) at++;
  const first = at;
  value = 0;
  at = digitsEnd(at);
  const digits = at - first;
  if (digits === 0 || digits > 9 || (digits > 1 && load<u8>(first) === 0x30)) return 0;
  if (load<u8>(at) === 0x2e) {
    const point = at;
    at = digitsEnd(at + 1);
    const decimals = at - point - 1;
    if (decimals === 0 || digits + decimals > 15) return 0;
    // Both are whole numbers that a double represents exactly, so their quotient is the nearest double.
    let unit: f64 = 1;
    for (let place: usize = 0; place < decimals; place++) unit *= 10;
    value /= unit;
  }
  if (isNegative) value = -value;
  return at;
}

function digitsEnd(at: usize): usize {
  for (; isDigit(load<u8>(at)); at++) value = value * 10 + <f64>(load<u8>(at) - 0x30);
  return at;
}
