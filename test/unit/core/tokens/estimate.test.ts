import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { estimateErrorPercent, estimateTokens } from '../../../../src/core/tokens/estimate';
import { countTokens } from '../../../../src/demo/answers/tokens';

const english = `The lighthouse keeper had not spoken to anyone in eleven days, and by then the silence had become a kind of
weather. He lit the lamp at dusk, wound the clock, wrote the barometer reading in the ledger, and listened to the sea
argue with the rocks below. On the twelfth morning a boat came: "We saw no light," the captain said, "for three nights."`;

const chinese = `速率限制是服务对每个账户在一段时间内允许的请求数量或令牌数量的约束。当请求超过限制时，服务会返回 429 状态码，并在响应头中说明需要
等待多久。客户端应当遵守这个时间，不要立即重试，否则只会让情况变得更糟。对于批量任务，更好的做法是把请求写入文件，由服务在空闲时处理。`;

const python = `def merge(a: list[int], b: list[int]) -> list[int]:
    """Merges two sorted lists."""
    result, i, j = [], 0, 0
    while i < len(a) and j < len(b):
        if a[i] <= b[j]:
            result.append(a[i])
            i += 1
        else:
            result.append(b[j])
            j += 1
    return result + a[i:] + b[j:]
`;

const japanese = `このスクリプトは、指定されたフォルダにあるファイルの一覧を作成し、それぞれの大きさを確認します。大きすぎるファイルは読み飛ばされ、
その理由が記録に残ります。設定を変更した場合は、もう一度最初から実行してください。途中で止めても、すでに作られた結果は失われません。`;

const listing = `12 files:
src/core/conversation/attachment.ts
src/core/conversation/conversationFolder.ts
src/core/workspace/gitignore.ts
src/features/chat/attachments/attachmentTray.ts
src/features/chat/attachments/readFolder.ts
test/unit/core/workspace/gitignore.test.ts
test/fixtures/batch/chat-completions_2026-11.jsonl
webview/screens/chat/offerList.css
webview/screens/chat/offerList.tsx
package-lock.json
package.json
README.md`;

const terminal = `$ npm test
> inference-desk@0.1.0 test
> node test/host/testAll.ts

  a folder of conversations
    ✔ keeps a draft apart, and removes it when it is empty (14ms)
    1) names the conversation written last

  137 passing (2s)
  1 failing

      AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:
      at Context.<anonymous> (test/unit/core/conversation/conversation.test.ts:345:12)`;

const jsonLines = Array.from({ length: 8 }, (_, index) =>
  JSON.stringify({
    custom_id: `request-${index}`,
    method: 'POST',
    body: {
      model: 'deepseek-ai/DeepSeek-V3.2',
      max_tokens: 512,
      messages: [{ role: 'user', content: '请用一句话解释速率限制。' }],
    },
  }),
).join('\n');

const texts: Readonly<Record<string, string>> = {
  'English prose': english,
  'English with Markdown': readFileSync('README.md', 'utf8'),
  Chinese: chinese,
  'Chinese with code': `${chinese}\n\n\`\`\`python\n${python}\`\`\``,
  TypeScript: readFileSync('src/features/chat/logic/chatSession.ts', 'utf8'),
  Python: python,
  CSS: readFileSync('webview/screens/chat/chat.css', 'utf8'),
  JSON: readFileSync('package.json', 'utf8'),
  'Japanese with code': `${japanese}\n\n\`\`\`python\n${python}\`\`\``,
  'Japanese prose': japanese,
  'a listing of a folder': listing,
  'output of a terminal': terminal,
  'JSON lines with Chinese': jsonLines,
  Russian: 'Ограничение скорости означает, что служба принимает только определённое число запросов в минуту.',
  Japanese: 'レート制限とは、サービスが一定時間内に受け付けるリクエスト数の上限のことです。',
};

describe('the estimate of tokens', () => {
  for (const [name, text] of Object.entries(texts)) {
    it(`is within its stated error: ${name}`, () => {
      const counted = encode(text).length;
      const off = Math.abs(estimateTokens(text) / counted - 1) * 100;
      assert.ok(off <= estimateErrorPercent, `${estimateTokens(text)} for ${counted}: ${off.toFixed(0)} % off`);
    });
  }

  /** Greatest deviation in percent, by the kind of a text. */
  const limits: Readonly<Record<string, number>> = { english: 10, code: 10, chinese: 25, other: 25 };
  const fixed = JSON.parse(readFileSync('test/fixtures/tokens/texts.json', 'utf8')) as {
    readonly texts: readonly {
      readonly name: string;
      readonly kind: string;
      readonly text: string;
      readonly qwen: number;
      readonly deepSeek: number;
    }[];
  };
  for (const { name, kind, text, qwen, deepSeek } of fixed.texts) {
    const counts = { 'Qwen 3': qwen, 'DeepSeek V3': deepSeek, ...(kind !== 'other' && { demo: countTokens(text) }) };
    for (const [tokenizer, counted] of Object.entries(counts))
      it(`is within ${limits[kind]} % of the count of ${tokenizer} for ${name}`, () => {
        const off = Math.abs(estimateTokens(text) / counted - 1) * 100;
        assert.ok(off <= limits[kind]!, `${estimateTokens(text)} for ${counted}: ${off.toFixed(0)} % off`);
      });
  }

  it('is zero for an empty text', () => assert.equal(estimateTokens(''), 0));
});
