import fc from 'fast-check';

/** Half of them ASCII; no halves of surrogate pairs. */
const anyCharacter = fc
  .oneof(fc.integer({ min: 0, max: 0x7f }), fc.integer({ min: 0, max: 0x10_f7_ff }))
  .map((at) => String.fromCodePoint(at < 0xd8_00 ? at : at + 0x8_00));

/** Text of any characters. What fast-check has for it makes a table of a million of them first, in each process. */
export function anyText(constraints: Omit<fc.StringConstraints, 'unit'> = {}): fc.Arbitrary<string> {
  return fc.string({ ...constraints, unit: anyCharacter });
}
