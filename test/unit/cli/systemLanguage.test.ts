import { deepEqual, equal, match } from 'node:assert/strict';
import * as l10n from '@vscode/l10n';
import { runCheck } from '../../../src/cli/runCheck';
import { readTranslations, systemLanguage } from '../../../src/cli/systemLanguage';

describe('the language of a program', () => {
  it('is that of the environment in POSIX order, or that of the system', () => {
    equal(systemLanguage({ LANG: 'zh_CN.UTF-8' }, 'en-US'), 'zh-cn');
    equal(systemLanguage({ LANG: 'zh_CN.UTF-8', LC_MESSAGES: 'de_DE@euro' }, 'en-US'), 'de-de');
    equal(systemLanguage({ LANG: 'zh_CN.UTF-8', LC_ALL: 'C' }, 'zh-CN'), 'en');
    equal(systemLanguage({ LANG: 'C.UTF-8' }, 'zh-CN'), 'en');
    equal(systemLanguage({ LANG: '', LC_ALL: undefined }, 'zh-Hans-CN'), 'zh-hans-cn');
    equal(systemLanguage({}, 'en-US'), 'en-us');
  });

  it('has translations for simplified Chinese if they are next to the program', async () => {
    for (const language of ['zh', 'zh-cn', 'zh-hans-cn', 'zh-sg'])
      equal((await readTranslations('media', language))?.['Sign Out'], '退出登录', language);
    for (const language of ['en', 'zh-tw', 'zh-hant-hk', 'de'])
      equal(await readTranslations('media', language), undefined, language);
    equal(await readTranslations('media/nowhere', 'zh-cn'), undefined);
  });

  it('applies to all texts of the check, except for text that other programs read', async () => {
    let [out, err] = ['', ''];
    l10n.config({ contents: { ...(await readTranslations('media', 'zh-cn')) } });
    try {
      const write = { out: (text: string) => void (out += text), err: (text: string) => void (err += text) };
      equal(await runCheck(['test/cases/batch/check/embeddings.jsonl'], write), 1);
      match(out, /^test\/cases\/batch\/check\/embeddings\.jsonl:1:\d+: error url\.unknown .*\p{sc=Han}/u);
      match(err, /^规则：SiliconFlow。.*\n请求：\d+，错误：\d+，/);
      [out, err] = ['', ''];
      deepEqual([await runCheck(['--help'], write), err], [0, '']);
      match(out, /^用法：node checkBatch\.js/);
    } finally {
      l10n.config({ contents: {} });
    }
  });
});
