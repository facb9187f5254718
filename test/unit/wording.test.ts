import { deepEqual, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import {
  buttonTexts,
  readKnownSlips,
  readSlips,
  shrinkKnownSlips,
  slipLines,
  writtenSentences,
} from '../support/wording';
import { chineseSlips, wordingSlips } from '../support/wordingRules';

describe('the wording of the product', () => {
  const slips = readSlips();
  if (process.env['SHRINK_WORDING'] !== undefined) shrinkKnownSlips(readKnownSlips(), slips);
  const known = readKnownSlips();

  for (const language of ['english', 'chinese'] as const) {
    const found = slipLines(slips[language]);
    const allowed = slipLines(known[language]);

    it(`follows the rules in every new text: ${language}`, () => {
      const isAllowed = new Set(allowed);
      const wrong = found.filter((line) => !isAllowed.has(line));
      deepEqual(wrong, [], 'Rewrite these texts');
    });

    it(`has no known errors that were fixed: ${language}`, () => {
      const isFound = new Set(found);
      const fixed = allowed.filter((line) => !isFound.has(line));
      deepEqual(fixed, [], 'Remove them with `SHRINK_WORDING=1 npm run test:unit -- wording`');
    });
  }
});

describe('the rules of wording', () => {
  const slipping: readonly (readonly [text: string, rule: string])[] = [
    ['Delete this picture?', 'write "image"'],
    ['The service refused the key.', 'write "reject"'],
    ['Copy the id of the voice', 'write "ID"'],
    ['Results are kept here.', 'passive without an actor'],
    ['Retry later. It is overloaded.', 'a sentence that starts with "It"'],
    ['Nothing was sent.', 'nothing as subject'],
    ['The key is wrong: check it.', 'a colon before a new sentence'],
    ['Stopped; try again.', 'a semicolon'],
    ['What was made is in the gallery.', '"what" as a noun'],
    ['The service says that the limit is reached.', 'a thing that speaks'],
    ['The file was changed.', 'past tense for a present state'],
    ['Copy the key of the account', '"of the" for a compound'],
    ['This is no number.', '"is no"'],
    ['Read it again', '"again" for a verb with re-'],
    ['Up to 10 files, so many per day', 'an unclear limit'],
    ['Choose a “model”', 'curly quotes'],
    ['Loading...', 'three dots for an ellipsis'],
    ['The disk is full. Free some space', 'a last sentence without a period'],
    ['The batch was cancelled', 'British spelling'],
  ];
  for (const [text, rule] of slipping) {
    it(`detect ${rule} in: ${text}`, () => deepEqual(wordingSlips(text, false).includes(rule), true));
  }

  const native: readonly string[] = [
    'No batches yet. Submit a batch file to create one.',
    "Couldn't read the file. The disk is full. Free up some space and try again.",
    "This model doesn't support image input.",
    'Maximum number of results. Leave empty to return all.',
    'Limits: 10 images per minute',
    'Copy Batch ID',
    'Exchange rates of `id` values',
  ];
  for (const text of native) it(`detect nothing in: ${text}`, () => deepEqual(wordingSlips(text, false), []));

  it('detect sentence case in buttons only', () => {
    for (const label of ['Retry Failed Requests…', 'Save as Preset', 'Use {0}', 'Copy custom_id'])
      deepEqual(wordingSlips(label, true), [], label);
    deepEqual(wordingSlips('Retry failed requests…', true), ['a button in sentence case']);
    deepEqual(wordingSlips('Retry failed requests…', false), []);
  });

  it("detect words that Chinese readers don't expect, and spaces between Chinese characters", () => {
    const slipping = [
      '您的账户',
      '此计算机',
      '这台电脑',
      '批处理文件',
      '对话模型',
      '注销',
      '登陆',
      '帐户',
      '去实名',
      '语义查找',
    ];
    slipping.push('打开 文件', '常用的聊天模型', '图像', '侧栏', '提示文件', '可能已经计费', '3 个 token', '点击按钮');
    for (const text of slipping) deepEqual(chineseSlips(text).length, 1, text);
    for (const text of ['你的账户', '批量任务', '去实名认证', '{0} 个文件', '使用 VS Code 打开'])
      deepEqual(chineseSlips(text), [], text);
  });

  it('read the labels of buttons in messages, questions, and pages', () => {
    const source = `void showMessage('error', l10n.t('Text'), vscode.l10n.t('One'));
      confirm({ title: l10n.t('Title'), action: l10n.t('Two') });
      const actions = [{ id: 'go', label: isOn ? l10n.t('Four') : l10n.t('Five') }, { id, label: l10n.t('Row') }];
      const view = <button title={l10n.t('Hint')}>{l10n.t('Three {0}', name)}</button>;
      const icon = <IconButton icon="close" label={l10n.t('Six')} />;`;
    deepEqual(buttonTexts('x.tsx', source).toSorted(), ['Five', 'Four', 'One', 'Six', 'Three {0}', 'Two']);
  });

  it('read concatenated texts and templates as one sentence', () => {
    const source = "import x from 'a b c'; const text = 'Returns the balance ' + `of ${name} now.` + ' Ask first.';";
    deepEqual(writtenSentences('x.ts', source), ['Returns the balance of {0} now. Ask first.']);
  });
});

describe('the rated text samples', () => {
  type Rating = 'native' | 'acceptable' | 'translated' | 'misleading';
  interface Rated {
    readonly text: string;
    readonly rating: Rating;
    readonly rewritten?: string | undefined;
  }
  const { texts: chinese } = JSON.parse(readFileSync('test/fixtures/wording/chineseSample.json', 'utf8')) as {
    readonly texts: readonly { readonly chinese: string; readonly rating: Rating; readonly rewritten?: string }[];
  };
  const samples: Readonly<Record<'english' | 'chinese', readonly Rated[]>> = {
    english: readFileSync('test/fixtures/wording/sample.tsv', 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => line.split('\t'))
      .map(([rating, , , , text, rewritten]) => ({ text: text!, rating: rating as Rating, rewritten })),
    chinese: chinese.map(({ chinese: text, rating, rewritten }) => ({ text, rating, rewritten })),
  };
  for (const [language, sample] of Object.entries(samples)) {
    it(`are at least 90 % native or acceptable, and the others are rewritten: ${language}`, () => {
      const isGood = ({ rating }: Rated) => rating === 'native' || rating === 'acceptable';
      ok(sample.filter(isGood).length >= sample.length * 0.9);
      deepEqual(
        sample.filter((rated) => !isGood(rated) && rated.rewritten === undefined),
        [],
      );
    });
  }

  it('have 200 English and 100 Chinese texts', () =>
    deepEqual([samples.english.length, samples.chinese.length], [200, 100]));

  it('follow the rules in Chinese', () =>
    deepEqual(
      samples.chinese.flatMap(({ text, rewritten = text }) => chineseSlips(rewritten)),
      [],
    ));
});
