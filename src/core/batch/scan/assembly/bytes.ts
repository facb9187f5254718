export const quote: u8 = 0x22;
export const comma: u8 = 0x2c;
export const colon: u8 = 0x3a;
export const backslash: u8 = 0x5c;
export const openBrace: u8 = 0x7b;
export const closeBrace: u8 = 0x7d;
export const openBracket: u8 = 0x5b;
export const closeBracket: u8 = 0x5d;

export function isDigit(byte: u8): bool {
  return byte >= 0x30 && byte <= 0x39;
}
