import { deepEqual, equal } from 'node:assert/strict';
import { decodeAs, guessEncodings } from '../../../../src/core/workspace/textEncoding';

/** As Excel saves them in China, Taiwan, Japan, Korea, and France. */
const files: readonly (readonly [encoding: string, hex: string, text: string])[] = [
  [
    'gb18030',
    'd0d5c3fb2cb1b8d7a20ad5c5c8fd2ccdcbbbf5d4add2f2a3bac9ccc6b7c6c6cbf00a',
    '姓名,备注\n张三,退货原因：商品破损\n',
  ],
  ['gb18030', 'b1e0bac52cb1eacce20a', '编号,标题\n'],
  ['big5', 'a96da6572cb3c6b5f90ab169a4542cb0d3ab7eb76cc3610a', '姓名,備註\n張三,商品損壞\n'],
  ['shift_jis', '8ac7979d 2c 8341838b 8374 8340 0a 82b182f182c982bf82cd', '管理,アルファ\nこんにちは'],
  ['euc-kr', 'c0ccb8a72cbac0b0ed0ac8abb1e6b5bf', '이름,봉고\n홍길동'],
  ['windows-1252', '6e6f6d2cc3a9 74 e9 0a', 'nom,Ã©té\n'],
];
const bytesOf = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex');
const first = (bytes: Uint8Array, language = 'en') => guessEncodings(bytes, language)[0]?.encoding;

describe('the encoding of a text that is not UTF-8', () => {
  for (const [encoding, hex, text] of files) {
    it(`is detected by its common characters: ${encoding}, ${text.trim()}`, () => {
      const bytes = bytesOf(hex);
      equal(new TextDecoder(encoding).decode(bytes), text);
      equal(first(bytes), encoding);
    });
  }

  it('is UTF-16 with or without a byte-order mark', () => {
    const little = Buffer.from('id,备注\n1,退货\n', 'utf16le');
    equal(first(little), 'utf-16le');
    equal(first(Buffer.from(little).swap16()), 'utf-16be');
    equal(first(Buffer.from('\ufeff退货原因', 'utf16le')), 'utf-16le');
    equal(decodeAs(Buffer.from('\ufeff退货', 'utf16le'), 'utf-16le'), '退货');
  });

  it('is chosen by the language of the window if a text fits several', () => {
    const bytes = bytesOf('b0a1b0a1');
    equal(first(bytes, 'zh-cn'), 'gb18030');
    equal(first(bytes, 'ko'), 'euc-kr');
    deepEqual(guessEncodings(bytes, 'zh-tw')[0]?.encoding, 'big5');
  });

  it('is offered with the beginning of the text', () => {
    const [guess] = guessEncodings(bytesOf(files[0]![1]), 'zh-cn');
    equal(guess?.preview, '姓名,备注 张三,退货原因：商品破损');
  });

  it('tolerates a character cut at the end of the sample', () => {
    const long = Buffer.concat([
      Buffer.from('a'),
      Buffer.concat(Array.from({ length: 40_000 }, () => bytesOf('cdcb'))),
    ]);
    equal(first(long), 'gb18030');
  });

  it('is unknown for binary content', () => {
    deepEqual(guessEncodings(bytesOf('89504e470d0a1a0a0000000d49484452'), 'zh-cn'), []);
    deepEqual(guessEncodings(bytesOf('ff01020304fe'), 'zh-cn'), []);
  });
});
