import fc from 'fast-check';

/** Half of them are ASCII. Lone surrogates are excluded. */
const anyCharacter = fc
  .oneof(fc.integer({ min: 0, max: 0x7f }), fc.integer({ min: 0, max: 0x10_f7_ff }))
  .map((at) => String.fromCodePoint(at < 0xd8_00 ? at : at + 0x8_00));

/** Returns text of any characters. fast-check's own arbitrary first builds a table of a million characters in each process. */
export function anyText(constraints: Omit<fc.StringConstraints, 'unit'> = {}): fc.Arbitrary<string> {
  return fc.string({ ...constraints, unit: anyCharacter });
}
