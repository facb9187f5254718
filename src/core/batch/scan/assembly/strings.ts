import { backslash, quote } from './bytes';
import { signBytes, stringSigns } from './signs';

/** The first quote, backslash or control character from `at` on. */
export function stopFrom(at: usize): usize {
  const quotes = v128.load(stringSigns);
  const backslashes = v128.load(stringSigns, signBytes);
  const space = v128.load(stringSigns, 2 * signBytes);
  let found = 0;
  for (at -= 16; found === 0;) {
    at += 16;
    const bytes = v128.load(at);
    const signs = v128.or(i8x16.eq(bytes, quotes), i8x16.eq(bytes, backslashes));
    found = i8x16.bitmask(v128.or(signs, i8x16.lt_u(bytes, space)));
  }
  return at + ctz(found);
}

/**
 * Returns the position after the quote that ends the string whose text begins at `at`, or 0 if it is invalid or contains a lone surrogate.
 */
export function stringEnd(at: usize): usize {
  let stop = stopFrom(at);
  while (load<u8>(stop) === backslash) {
    const after = escapeEnd(stop + 1);
    if (after === 0) return 0;
    stop = stopFrom(after);
  }
  return load<u8>(stop) === quote ? stop + 1 : 0;
}

/** Returns where an escape ends whose backslash is before `at`, or 0 if it is invalid or a lone surrogate. */
function escapeEnd(at: usize): usize {
  if (load<u8>(at) !== 0x75) return isShortEscape(load<u8>(at)) ? at + 1 : 0;
  const unit = hex(at + 1);
  if (unit < 0 || (unit >= 0xdc00 && unit <= 0xdfff)) return 0;
  if (unit < 0xd800 || unit > 0xdbff) return at + 5;
  if (load<u8>(at + 5) !== backslash || load<u8>(at + 6) !== 0x75) return 0;
  const low = hex(at + 7);
  return low >= 0xdc00 && low <= 0xdfff ? at + 11 : 0;
}

/** Characters that can follow a backslash alone. */
function isShortEscape(letter: u8): bool {
  switch (letter) {
    case quote:
    case backslash:
    case 0x2f:
    case 0x62:
    case 0x66:
    case 0x6e:
    case 0x72:
    case 0x74:
      return true;
    default:
      return false;
  }
}

/** Returns the value of four hexadecimal digits, or -1 if they are invalid. */
function hex(at: usize): i32 {
  let value: i32 = 0;
  for (let index: usize = 0; index < 4; index++) {
    const byte: i32 = load<u8>(at + index);
    const lower = byte | 0x20;
    if (byte >= 0x30 && byte <= 0x39) value = value * 16 + byte - 0x30;
    else if (lower >= 0x61 && lower <= 0x66) value = value * 16 + lower - 0x57;
    else return -1;
  }
  return value;
}
