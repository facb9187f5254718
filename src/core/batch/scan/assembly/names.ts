/**
 * The texts of a line, as `../lineScanner.ts` writes them into the memory before the first line is read: the text with its quotes in 24
 * bytes, a mask of as many bytes with ones where the text is, then its length and the kind of a number with this name.
 */
const namesStart: usize = 1024;
const nameBytes: usize = 72;
const maskPlace: usize = 24;
const lengthPlace: usize = 48;
const wholePlace: usize = 52;
const leastPlace: usize = 56;
const mostPlace: usize = 64;

/** The order of the names. `user` is followed by the other roles, then the numeric parameters. */
export const customId: i32 = 0;
export const method: i32 = 1;
export const url: i32 = 2;
export const body: i32 = 3;
export const post: i32 = 4;
export const path: i32 = 5;
export const messages: i32 = 6;
export const model: i32 = 7;
export const role: i32 = 8;
export const content: i32 = 9;
export const user: i32 = 10;

/** Returns the position after the name at `at`, or 0 if it isn't there. */
export function nameEnd(at: usize, name: i32): usize {
  const known = place(name);
  if (((load<u64>(at) ^ load<u64>(known)) & load<u64>(known, maskPlace)) !== 0) return 0;
  const rest = v128.and(v128.xor(v128.load(at, 8), v128.load(known, 8)), v128.load(known, maskPlace + 8));
  return v128.any_true(rest) ? 0 : at + load<u32>(known, lengthPlace);
}

/** Whether a parameter of this name may be so. */
export function isWithin(value: f64, name: i32): bool {
  const known = place(name);
  if (load<u32>(known, wholePlace) !== 0 && Math.floor(value) !== value) return false;
  return value >= load<f64>(known, leastPlace) && value <= load<f64>(known, mostPlace);
}

function place(name: i32): usize {
  return namesStart + <usize>name * nameBytes;
}
