import { deepEqual, equal } from 'node:assert/strict';
import fc from 'fast-check';
import { foreignLines } from '../../../../../src/core/text/foreignText';
import { terminalProblem } from '../../../../../src/features/chat/logic/terminalProblem';
import { anyText } from '../../../../support/anyText';

const codePoint = (character: string) => `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;

describe('code for a terminal', () => {
  it('is sent only if all of it is readable', () => {
    const usual = ['ls -l\n\n  echo hi\n', 'echo 你好 😀 ⚠️', `${'x'.repeat(30)}\n`.repeat(18), 'x'.repeat(540)];
    for (const code of usual) equal(terminalProblem(code), undefined, code);
    equal(terminalProblem(' \n'), 'empty');
    equal(terminalProblem('\u3000\n'), 'empty');
    const unseen = [
      '\t\r\b\u0000\u0003\u001B\u007F\u009B\u2028\u0085',
      '\u202E\u2066\u061C\u200B\u200D\u2060\uFEFF\u00AD\u{E0041}\uFE0F',
      '\u00A0\u3000\u2003\u205F\u2800\u3164\u115F\u1160\uFFA0\u034F\u17B4\uFFFC\uE000\uD800',
      '\u{1D159}\u{13441}\u{13442}\u{16FE4}\u{1BC9D}',
    ].join('');
    for (const character of unseen) {
      const problem = { kind: 'unseen', found: codePoint(character) };
      deepEqual(terminalProblem(`ls ${character} -l`), problem);
      deepEqual(terminalProblem(`ls -l${character}`), problem);
    }
  });

  it('is displayed in its execution order', () => {
    const scripts = 'Arabic Hebrew Syriac Thaana Nko Adlam Samaritan Mandaic Hanifi_Rohingya Yezidi Phoenician Lydian';
    const letters = new RegExp(
      scripts
        .split(' ')
        .map((script) => String.raw`\p{Script=${script}}`)
        .join('|'),
      'u',
    );
    for (let code = 0x21; code <= 0x1_ffff; code += 1) {
      const letter = String.fromCodePoint(code);
      if (!letters.test(letter) || !/\p{L}/u.test(letter)) continue;
      deepEqual(terminalProblem(`cat ${letter} > 1`), { kind: 'rightToLeft', found: codePoint(letter) });
    }
    for (const wide of ['\uFDFD', '\uFDFA']) {
      deepEqual(terminalProblem(wide.repeat(250)), { kind: 'rightToLeft', found: codePoint(wide) });
    }
    for (const usual of ['echo Привет ñandú €5', 'echo ελληνικά', 'echo ไทย', 'echo नमस्ते']) {
      equal(terminalProblem(usual), undefined, usual);
    }
  });

  it('has no combining marks that overlap other lines', () => {
    deepEqual(terminalProblem('echo Z\u0351\u0369'), { kind: 'stacked', found: 'U+0369' });
    deepEqual(terminalProblem('echo 1\u20E3\u20DD'), { kind: 'stacked', found: 'U+20DD' });
    equal(terminalProblem('echo cafe\u0301'), undefined);
  });

  it('is allowed only if a small window shows it completely', () => {
    const tooLong = [
      `echo hi\n${'\n'.repeat(1200)}rm -rf /`,
      `echo hi${' '.repeat(2000)}; rm -rf /`,
      'x'.repeat(541),
      '你'.repeat(271),
      'x\n'.repeat(19),
      `${'x'.repeat(31)}\n`.repeat(10),
      // Each word has a row of its own.
      `${'WWWWWWWWWWWWWWWW '.repeat(30)};evil`,
      `${'x'.repeat(16)} `.repeat(19),
      `${'你'.repeat(8)} `.repeat(19),
      // Letters of several ems.
      '\u{1242B}'.repeat(100),
      '\uA9C5'.repeat(140),
      '\u2E3B'.repeat(140),
    ];
    for (const code of tooLong) equal(terminalProblem(code), 'tooLong', code);
    for (const code of [`echo hi${'\n'.repeat(1200)}`, `${'x'.repeat(16)} `.repeat(18), 'xxxx '.repeat(108)]) {
      equal(terminalProblem(code), undefined, code);
    }
  });

  it('takes no more rows than a browser that breaks lines between words', () => {
    const words = fc.array(fc.oneof(fc.stringMatching(/^[a-z]{1,40}$/), fc.constant('x'.repeat(16))), {
      maxLength: 40,
      minLength: 1,
    });
    fc.assert(
      fc.property(words, (all) => {
        const isTooLong = terminalProblem(all.join(' ')) === 'tooLong';
        equal(isTooLong, rowsOf(all) > 18);
      }),
    );
  });

  it('is shown literally', () => {
    const text = fc.array(fc.oneof(anyText(), fc.constantFrom('ls', ' ', '\n', '你', '😀', 'é')));
    fc.assert(
      fc.property(text, (parts) => {
        const code = parts.join('').trimEnd();
        if (terminalProblem(code) === undefined) equal(foreignLines(code, 20_000), code);
      }),
    );
  });

  describe('with history expansion', () => {
    const foundIn = (code: string) => {
      const problem = terminalProblem(code);
      return typeof problem === 'object' ? [problem.kind, problem.found] : problem;
    };

    it("isn't sent", () => {
      const replaced: Readonly<Record<string, string>> = {
        'sudo !!': '!!',
        'echo "$(!!)"': '!!)"',
        'echo "!rm"': '!rm"',
        'echo hi; !-2': '!-2',
        'ls !$': '!$',
        'ls !#': '!#',
        'echo !{rm}': '!{rm}',
        '!?evil?': '!?evil?',
        '!./install': '!./install',
        '!/usr/bin/x': '!/usr/bin/x',
        '^a^b': '^a^b',
        'echo hi\n^a^b^ && x': '^a^b^',
        // A quote that is none, or that ended.
        "echo it\\'s !!": '!!',
        'echo "it\'s" !!': '!!',
        "echo 'a' !! 'b'": '!!',
        "echo $'a\\'' !! ''": '!!',
        "echo 'a\n' !! 'b'": '!!',
        "# don't\nsudo !!": '!!',
        "# don't\nsudo !! # isn't": '!!',
        "cat <<END\ndon't\nEND\nsudo !!": '!!',
        // Until its version 5, bash knew of no quote that an earlier line began.
        "sed '\n/a/!d\n' file": '!d',
        'echo \\\\!x': '!x',
        'echo "\\\\!x"': '!x"',
        'ls [!!]': '!!]',
        'ls [!1]': '!1]',
        'ls [!r m]': '!r',
        'echo\n#!/bin/sh': '!/bin/sh',
      };
      for (const [code, found] of Object.entries(replaced)) deepEqual(foundIn(code), ['history', found], code);
      deepEqual(foundIn(`!${'x'.repeat(300)}`), ['history', `!${'x'.repeat(29)}`]);
    });

    it('is distinguished from code in which the characters are literal', () => {
      const usual = [
        '[ "$a" != b ]',
        'if ! grep -q x file; then echo no; fi',
        '#!/bin/sh\nls',
        '#!/usr/bin/env bash\nls',
        '[ ! -f x ] && touch x',
        'echo "Hello!"',
        'echo Hello! world',
        "echo 'Hello!'; echo Wow!; (echo Hey!)",
        'printf "Hello!\\n"',
        "awk '!seen[$0]++' file",
        "sed -n '/a/!d' file",
        "# don't print twice\nawk '!seen[$0]++' file",
        'wait $!; kill "$!"',
        'echo "${!name}" "${!list[@]}"',
        'case $x in *[!0-9]*) echo no ;; esac; ls [!a-z]*',
        'ls !(*.txt)',
        'echo \\!x "\\!x"',
        'grep "^a" file; git show HEAD^',
        '((a ^= b))',
        'echo "你好！" && a^b',
      ];
      for (const code of usual) equal(foundIn(code), undefined, code);
    });

    it('is allowed if the shell has no such characters', () => {
      equal(terminalProblem('if (!$x) { ls }', false), undefined);
      deepEqual(terminalProblem('if (!\u05D0) { ls }', false), {
        kind: 'rightToLeft',
        found: 'U+05D0',
      });
    });
  });
});

/** At 30 letters each. */
function rowsOf(words: readonly string[]): number {
  let [rows, column] = [1, 0];
  for (const [index, { length }] of words.entries()) {
    const gap = index === 0 ? 0 : 1;
    if (index > 0 && column + gap + length > 30) {
      rows += Math.ceil(length / 30);
      column = length % 30 || 30;
    } else {
      rows += Math.ceil(length / 30) - 1;
      column = length > 30 ? length % 30 || 30 : column + gap + length;
    }
  }
  return rows;
}
