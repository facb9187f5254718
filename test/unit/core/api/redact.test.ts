import { deepEqual, equal, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { createRedact, redacted } from '../../../../src/core/api/redact';
import { runs } from '../../../support/runs';
import { anyText } from '../../../support/anyText';

/** What stands in an `Authorization` header; longer ones than any that is known. */
const keys = fc.oneof(
  fc.stringMatching(/^sk-[a-zA-Z0-9]{30,60}$/),
  fc.stringMatching(/^[!-~]{16,120}$/),
  fc.stringMatching(/^[!-~]{8,15}$/),
);
const around = fc.oneof(fc.string({ maxLength: 30 }), fc.constantFrom('Bearer ', 'user:', '', 'é中\u{1F511}'));
const choices = fc.infiniteStream(fc.boolean());

type Choices = Iterator<boolean>;
const hex = (char: string, next: Choices) => {
  const code = char.charCodeAt(0).toString(16).padStart(2, '0');
  return next.next().value === true ? code.toUpperCase() : code;
};

const each = <T>(key: string, write: (char: string) => T): T[] => key.split('').map(write);
const inLines =
  (columns: number, end = '\n') =>
  (text: string) =>
    text.replaceAll(new RegExp(`.{${columns}}(?=.)`, 'g'), `$&${end}`);

/** Ways in which nobody writes a key by accident. */
const rareWays: Readonly<Record<string, (key: string) => string>> = {
  'UTF-16': (key) => Buffer.from(key, 'utf16le').toString('latin1'),
  'UTF-16 in base64': (key) => Buffer.from(key, 'utf16le').toString('base64'),
  'UTF-16 in hex': (key) => Buffer.from(key, 'utf16le').toString('hex'),
  'base64 twice': (key) => Buffer.from(Buffer.from(key).toString('base64')).toString('base64'),
  'zero-width characters between': (key) => key.split('').join('\u200b'),
  'blanks between': (key) => inLines(4, ' ')(key),
  'a space after each character': (key) => key.split('').join(' '),
};

/** Each way a key is written within other text; a choice says which of its characters are escaped where they need not be. */
const ways: Readonly<Record<string, (key: string, next: Choices) => string>> = {
  plain: (key) => key,
  encodeURIComponent: (key) => encodeURIComponent(key),
  percent: (key, next) =>
    key
      .split('')
      .map((char) => `%${hex(char, next)}`)
      .join(''),
  'percent in part': (key, next) =>
    key
      .split('')
      .map((char) => (char === '%' || next.next().value === true ? `%${hex(char, next)}` : char))
      .join(''),
  'percent twice': (key) => encodeURIComponent(encodeURIComponent(key)),
  JSON: (key) => JSON.stringify(key).slice(1, -1),
  'JSON in JSON': (key) => JSON.stringify(JSON.stringify(key)).slice(1, -1),
  'JSON, escaped in part': (key, next) =>
    key
      .split('')
      .map((char) => ('"\\'.includes(char) || next.next().value === true ? `\\u00${hex(char, next)}` : char))
      .join(''),
  'JSON with escaped slashes': (key) => JSON.stringify(key).slice(1, -1).replaceAll('/', '\\/'),
  'percent in JSON': (key) => JSON.stringify(encodeURIComponent(key)).replaceAll('%', '\\u0025'),
  'octal of a string': (key) => each(key, (char) => `\\${char.charCodeAt(0).toString(8)}`).join(''),
  'code points of a string': (key) => each(key, (char) => `\\u{${char.charCodeAt(0).toString(16)}}`).join(''),
  hex: (key) => Buffer.from(key).toString('hex'),
  'upper-case hex': (key) => Buffer.from(key).toString('hex').toUpperCase(),
  'mixed-case hex': (key, next) => each(key, (char) => hex(char, next)).join(''),
  'hex in lines': (key) => inLines(32)(Buffer.from(key).toString('hex')),
  'hex with colons': (key, next) => each(key, (char) => hex(char, next)).join(':'),
  'hex with blanks': (key, next) => each(key, (char) => hex(char, next)).join(' '),
  'hex of a list': (key) => each(key, (char) => char.charCodeAt(0).toString(16)).join(', 0x'),
  'hex of a string': (key, next) => each(key, (char) => `\\x${hex(char, next)}`).join(''),
  'hex of a string in JSON': (key, next) =>
    JSON.stringify(each(key, (char) => `\\x${hex(char, next)}`).join('')).slice(1, -1),
  'decimals of HTML': (key) => each(key, (char) => `&#${char.charCodeAt(0)};`).join(''),
  'hex of HTML': (key, next) => each(key, (char) => `&#x00${hex(char, next)};`).join(''),
  'HTML in part': (key, next) =>
    each(key, (char) => ('&<>"'.includes(char) || next.next().value === true ? `&#${char.charCodeAt(0)};` : char)).join(
      '',
    ),
  'names of HTML': (key) =>
    key.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
  bytes: (key) => `[${each(key, (char) => char.charCodeAt(0)).join(',')}]`,
  'bytes with blanks': (key) => `[${each(key, (char) => char.charCodeAt(0)).join(', ')}]`,
  'bytes in lines': (key) => `[${each(key, (char) => char.charCodeAt(0)).join(',\n      ')}]`,
};
const base64s: Readonly<Record<string, (text: string) => string>> = {
  base64: (text) => Buffer.from(text).toString('base64'),
  'base64 without padding': (text) => Buffer.from(text).toString('base64').replaceAll('=', ''),
  base64url: (text) => Buffer.from(text).toString('base64url'),
  'base64 in an address': (text) => encodeURIComponent(Buffer.from(text).toString('base64')),
  'base64 in JSON': (text) => Buffer.from(text).toString('base64').replaceAll('/', '\\/'),
  'base64 in lines of 64': (text) => inLines(64)(Buffer.from(text).toString('base64')),
  'base64 in lines of 76': (text) => inLines(76, '\r\n')(Buffer.from(text).toString('base64')),
  'base64 in short lines, indented': (text) => inLines(20, '\n    ')(Buffer.from(text).toString('base64')),
  'base64 in lines in an address': (text) =>
    encodeURIComponent(inLines(24, '\r\n')(Buffer.from(text).toString('base64'))),
};

describe('A redacted text', function () {
  this.timeout(60_000);

  for (const [way, write] of Object.entries(rareWays)) {
    it(`contains no key that is written as ${way}`, () => {
      fc.assert(
        fc.property(fc.stringMatching(/^sk-[a-zA-Z0-9]{30,60}$/), around, (key, before) => {
          const left = createRedact([key])(`${before}${write(key)}`);
          ok(left.includes(redacted) && !left.includes(write(key).slice(8, 60)), left);
        }),
      );
    });
  }

  for (const [way, write] of Object.entries(ways)) {
    it(`contains no key that is written as ${way}`, () => {
      fc.assert(
        fc.property(keys, around, around, choices, (key, before, after, next) => {
          const written = write(key, next);
          const left = createRedact([key])(`${before}${written}${after}`);
          ok(!left.includes(written) && left.includes(redacted), left);
        }),
      );
    });

    it(`contains no key that is written as ${way} and truncated by another program`, () => {
      fc.assert(
        fc.property(fc.stringMatching(/^sk-[a-zA-Z0-9]{30,60}$/), fc.nat(), choices, (key, cut, next) => {
          const most = key.slice(0, Math.ceil(key.length * 0.6) + (cut % 12));
          ok(!createRedact([key])(`x ${write(most, next)}`).includes(write(key.slice(0, 20), next)));
          equal(createRedact([key])(write(most, next)).replaceAll(/[\\"]|^\[(?=\[)|(?<=\])\]$/g, ''), redacted);
        }),
      );
    });
  }

  for (const [way, write] of Object.entries(base64s)) {
    it(`contains no key within ${way}, at any offset`, () => {
      fc.assert(
        fc.property(keys, around, around, (key, before, after) => {
          const left = createRedact([key])(`a ${write(`${before}${key}${after}`)} b`);
          if (way.includes('lines')) ok(!left.includes(write(key).slice(8, 40)), left);
          const readable = left
            .split(redacted)
            .flatMap((part) => [0, 1, 2, 3].map((from) => Buffer.from(decodeSafely(part).trim().slice(from), 'base64')))
            .map((bytes) => bytes.toString('latin1'))
            .join('\n');
          ok(left.includes(redacted), left);
          for (const part of [key.slice(0, 6), key.slice(-6)]) {
            if (!`${before}|${after}`.includes(part)) ok(!readable.includes(part), `${part} in ${readable}`);
          }
        }),
      );
    });
  }

  it('is unchanged if it contains no key', () => {
    const texts = fc.oneof(
      anyText({ maxLength: 200 }),
      fc.json(),
      fc.base64String(),
      fc.webUrl({ withQueryParameters: true }),
      fc.array(fc.constantFrom('%', '\\', 'u00', '41', '"', '=', 'sk-', 'A', '25')).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(fc.stringMatching(/^sk-[a-zA-Z0-9]{30,60}$/), texts, (key, text) => {
        equal(createRedact([key])(text), text);
      }),
      { numRuns: runs(300, 1000) },
    );
  });

  it('is unchanged for a megabyte of ordinary text', () => {
    const redact = createRedact(['sk-abcdefghijklmnopqrstuvwxyzabcdefghijklmnop', 'shortkey']);
    const random = fc.sample(fc.uint8Array({ minLength: 3000, maxLength: 3000 }), { numRuns: 20, seed: 1 });
    const texts = [
      readFileSync('src/core/api/transport/sender.ts', 'utf8'),
      readFileSync('README.md', 'utf8'),
      readFileSync('media/l10n/bundle.l10n.zh-cn.json', 'utf8'),
      JSON.stringify(readFileSync('package.json', 'utf8')),
      ...random.flatMap((bytes) => [
        [...bytes].join(', '),
        Buffer.from(bytes)
          .toString('hex')
          .replaceAll(/..(?=.)/g, '$&:'),
        inLines(76, '\r\n')(Buffer.from(bytes).toString('base64')),
        [...bytes].map((byte) => `&#${byte};`).join(''),
        encodeURIComponent(Buffer.from(bytes).toString('latin1')),
      ]),
    ];
    const usual = texts.join('\n');
    ok(usual.length > 1_000_000);
    ok(redact(usual) === usual);
  });

  it('keeps the text around a key', () => {
    const redact = createRedact(['sk-abcdefghijklmnop']);
    equal(redact('a sk-abcdefghijklmnop%20b'), 'a [key]%20b');
    equal(redact('{"a":"sk\\u002dabcdefghijklmnop\\n"}'), '{"a":"[key]\\n"}');
    equal(redact('k=sk%2Dabcdefghijklmnop&b=%26'), 'k=[key]&b=%26');
    equal(redact(`Basic ${Buffer.from('sk-abcdefghijklmnop').toString('base64')}, b`), 'Basic [key], b');
    equal(redact('sk-abcdefghijklmnopsk-abcdefghijklmnop'), '[key][key]');
    equal(redact('a\n  sk-abcdefghijklmnop\n  b'), 'a\n  [key]\n  b');
    equal(redact(`[1, 0, ${Buffer.from('sk-abcdefghijklmnop').join(', ')}, 3]`), '[1, 0, [key], 3]');
    // Of base64 whose beginning is elsewhere: the character before is part of it, or none.
    for (const before of ['x', 'xy', 'xyz']) {
      const encoded = Buffer.from(`${before}sk-abcdefghijklmnop`).toString('base64');
      const [shared, own] = [Math.floor((before.length * 8) / 6), Math.ceil((before.length * 8) / 6)];
      equal(redact(`"${encoded.slice(own)}"`), '"[key]"');
      equal(redact(encoded.slice(own)), '[key]');
      equal(redact(`"${encoded.slice(shared)}"`), '"[key]"');
      equal(redact(`"${encoded}"`), `"${encoded.slice(0, shared)}[key]"`);
    }
  });

  it('is unchanged for a key shorter than eight characters, such as a placeholder for services without keys', () => {
    const text = '{"model":"x","next":"none","key":"[key]","text":"6b6579 a2V5 107,101,121,107,101,121,107,101,121"}';
    for (const key of ['', 'x', 'key', '[key]', 'none', 'model', 'no-key!', 'EMPTY']) {
      equal(createRedact([key])(text), text, key);
      deepEqual(createRedact([key]).pieces(['a mod', 'el ', 'x']), ['a mod', 'el ', 'x'], key);
    }
    equal(createRedact(['x', 'sk-12345'])('x sk-12345 x'), 'x [key] x');
  });

  it('is unchanged when it is redacted again', () => {
    fc.assert(
      fc.property(
        fc.array(keys, { minLength: 1, maxLength: 3 }),
        fc.constantFrom(...Object.values(ways), ...Object.values(base64s)),
        fc.array(fc.oneof(around, fc.constantFrom('[key]', 'key')), { minLength: 2, maxLength: 4 }),
        choices,
        (all, write, between, next) => {
          const redact = createRedact(all);
          const left = redact(between.map((text, index) => text + write(all[index % all.length]!, next)).join(''));
          equal(redact(left), left);
        },
      ),
    );
  });

  it('contains none of several keys, even if one starts with another', () => {
    const redact = createRedact(['sk-abcdefghijklmnop', 'sk-abcdefghijklmnopqrstuv', 'token-of-another']);
    equal(redact('sk-abcdefghijklmnopqrstuv, token-of-another'), '[key], [key]');
    equal(createRedact([])('text'), 'text');
  });

  it('is truncated after the key is removed, at any length', () => {
    fc.assert(
      fc.property(keys, fc.constantFrom(...Object.values(ways)), fc.nat(600), choices, (key, write, at, next) => {
        const text = `${'. '.repeat(100)}${write(key, next)}${' .'.repeat(100)}`;
        const cut = createRedact([key])(text, at);
        const whole = createRedact([key])(text);
        ok(whole.startsWith(cut) || whole === cut, cut);
        ok(cut.length <= at + redacted.length);
      }),
    );
    deepEqual(createRedact(['sk-abcdefghijklmnop'])('abc sk-abcdefghijklmnop', 9), 'abc [key]');
  });

  it('contains no key that arrived in parts', () => {
    fc.assert(
      fc.property(
        keys,
        fc.constantFrom(...Object.values(ways)),
        choices,
        fc.array(fc.nat(200)),
        (key, write, next, cuts) => {
          const written = write(key, next);
          const text = `before ${written} after`;
          const places = [0, ...cuts.map((cut) => Math.min(cut, text.length)).toSorted((a, b) => a - b), text.length];
          const pieces = places.slice(1).map((end, index) => text.slice(places[index], end));
          const left = createRedact([key]).pieces(pieces);
          equal(left.length, pieces.length);
          equal(left.join(''), createRedact([key])(text));
        },
      ),
    );
    deepEqual(createRedact(['sk-abcdefghijklmnop']).pieces(['a sk-abc', 'def', 'ghijklmnop b', '', 'c']), [
      'a [key]',
      '',
      ' b',
      '',
      'c',
    ]);
  });

  it('takes linear time for any text', () => {
    const key = 'sk-abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstu';
    const size = runs(1_000_000, 10_000_000);
    const pieces = [
      '\\',
      '%',
      '%25',
      '\\u0025',
      '\\u0073',
      '%73',
      's',
      'sk-',
      key.slice(0, -1),
      key,
      'c2s',
      'sk-abcdefghijklmnopqrstuvw',
      '=',
      '\\"',
      '\n',
      '\n ',
      '\\x73',
      '&#115;',
      '&',
      '115,',
      '115 , ',
      '73:',
      '73 ',
      '\u0130',
    ];
    for (const piece of pieces) {
      const text = piece.repeat(size / piece.length);
      ok(!createRedact([key])(text).includes(key), piece);
    }
  });
});

function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text).replaceAll('\\', '');
  } catch {
    return text;
  }
}
