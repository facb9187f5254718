import type { BatchJob } from '../jobs/batch/batchJob';

/** Limits that a service states when it rejects a request, a file or a batch. Absent if the message doesn't state them. */
export interface StatedLimits {
  /** Token limits of a request with its answer, and of an answer, for the requested model. */
  readonly contextTokens?: number;
  readonly outputTokens?: number;
  /** Tokens of the requests that wait, requests of a batch, and bytes of a file, of the account. */
  readonly enqueuedTokens?: number;
  readonly requests?: number;
  readonly bytes?: number;
}

/** Longer messages repeat the request. */
const mostChars = 2000;

const figure = String.raw`\x60?(\d[\d,_]{0,15})\b`;
const words = (source: string) => new RegExp(source.replaceAll('#', figure), 'i');

/** Each captures the model's limit. The first that matches counts, so that the more specific ones come first. */
const outputs: readonly RegExp[] = [
  // OpenAI: "max_tokens is too large: 8192. This model supports at most 4096 completion tokens"
  words(String.raw`supports at most # (?:completion|output) tokens`),
  // Anthropic: "max_tokens: 100000 > 8192, which is the maximum allowed number of output tokens for …"
  words(String.raw`max_tokens: \d+ > #, which is the maximum`),
  // OpenAI's Responses: "Invalid 'max_output_tokens': integer above maximum value. Expected a value <= 16384"
  words(String.raw`max_(?:completion_|output_)?tokens'?: integer above maximum value\. expected a value <= #`),
  // SiliconFlow
  words(String.raw`max_tokens \(\d+\) have exceeded max_seq_len \(#\)`),
  // Bedrock: "The maximum tokens you requested exceeds the model limit of 4096"
  words(String.raw`maximum tokens you requested exceeds the model limit of #`),
  // DeepSeek, DashScope, ZhiPu: "the valid range of max_tokens is [1, 8192]", "Range of max_tokens should be [1, 8192]", "取值范围[1,4095]"
  words(String.raw`max_(?:completion_|output_|new_)?tokens\b[^.\[]{0,60}\[\s*\d+\s*,\s*#\s*\]`),
  // Groq, Cohere, Mistral: "`max_tokens` must be less than or equal to `16384`". Text Generation Inference: "`max_new_tokens` must be <= 192"
  words(
    String.raw`(?:^|[^+\s]\s|^\W*)\x60?'?max_?(?:completion_|output_|new_| )?tokens\x60?'?\b(?![^.]{0,40}context)[^.]{0,40}?(?:less than or equal to|at most|must be <=|cannot exceed|maximum(?: value)?(?: is| of)) #`,
  ),
];

/** The first number that is beyond the range: "supported range is from 1 (inclusive) to 8193 (exclusive)", as Vertex AI says it. */
const outputsBelow = words(String.raw`max_?output_?tokens\b.{0,120}to # \(exclusive\)`);

const contexts: readonly RegExp[] = [
  // SiliconFlow
  words(String.raw`prompt_tokens \(\d+\) must be less than max_seq_len \(#\)`),
  words(String.raw`exceeded max_(?:prompt_tokens|seq_len) \(#\) limit`),
  // OpenAI, vLLM, OpenRouter, DeepSeek: "maximum context length is 131072 tokens"; Fireworks: "model maximum context length: 131071"
  words(String.raw`(?:maximum|max) context (?:length|window|size)(?: of the model)?(?: is|:| of| =)? ?\(?#`),
  // Mistral: "too large for model with 32768 maximum context length"
  words(String.raw`# (?:tokens? )?(?:maximum|max) context (?:length|window)`),
  // Anthropic: "prompt is too long: 208310 tokens > 200000 maximum", "exceed context limit: 188240 + 21333 > 200000"
  words(String.raw`prompt is too long: \d+ tokens > # maximum`),
  words(String.raw`exceed context limit: \d+ \+ \d+ > #`),
  // Text Generation Inference, Together
  words(String.raw`tokens\x60? \+ \x60?max_new_tokens\x60?\s+must be <= #`),
  words(String.raw`\x60?inputs\x60? must have less than # tokens`),
  // llama.cpp, llama-cpp-python, SGLang: "exceeds the available context size (8192 tokens)", "exceed context window of 1800"
  words(
    String.raw`exceeds? (?:the )?(?:available |model's )?(?:maximum )?context (?:size|window|length)(?: of| is|:)? ?\(?#`,
  ),
  words(String.raw`longer than the model's context length \(#`),
  // Gemini: "The input token count (1050000) exceeds the maximum number of tokens allowed (1048576)"
  words(String.raw`input token count \(?\d*\)? ?exceeds the maximum number of tokens allowed \(?#`),
  // DashScope: "Range of input length should be [1, 30720]"
  words(String.raw`input length \d+ exceeds (?:the )?max(?:imum)? length(?: of)? #`),
  words(String.raw`range of input length should be \[\s*\d+\s*,\s*#`),
  // xAI: "maximum prompt length is 131072"
  words(String.raw`maximum prompt length is #`),
  // Cohere: "total number of tokens in the prompt cannot exceed 4081"
  words(String.raw`number of tokens in the prompt cannot exceed #`),
  // Moonshot: "Your request exceeded model token limit: 8192"
  words(String.raw`exceeded model token limit: ?#`),
];

const enqueued: readonly RegExp[] = [
  // OpenAI, Azure: "Enqueued token limit reached for … Limit: 2,000,000 enqueued tokens"
  words(String.raw`limit:? # enqueued tokens`),
  words(String.raw`enqueued.tokens? limit[^.]{0,120}?(?:limit|maximum|allowance|of|:) ?#`),
  // "The number of enqueued tokens has surpassed the configured limit of 2000000", "enqueued tokens (9) exceed the limit (8)"
  words(String.raw`enqueued.tokens?\b[^.]{0,120}?(?:limit|maximum|allowance|quota)\b(?: of|:| is)? ?\(?#`),
  words(String.raw`enqueued.tokens?\b[^.]{0,80}?\d of #`),
  words(String.raw`batch queue limit of # tokens`),
  words(String.raw`(?:maximum|limit|at most|up to)(?: of)? # enqueued tokens`),
];

/** Services' words for the requests of a file. */
const lines = '(?:requests|lines|rows|records|tasks|entries)';

const requests: readonly RegExp[] = [
  // "The maximum number of requests per batch is 5,000; you sent 7,120."
  words(String.raw`max(?:imum)? number of ${lines}\b[^.;\d]{0,40}#`),
  words(String.raw`\brequests\b[^.\d]{0,20}at most # items`),
  words(
    String.raw`too many (?:requests|lines|rows|records)[^\d]{0,20}(?:\d[\d,]*[^\d]{0,60})?(?:max(?:imum)?|limit|at most|allowed|up to)\D{0,30}#`,
  ),
  words(
    String.raw`(?:max(?:imum)?|limit|limited to|at most|up to|more than|exceeds?|no more than)\b[^\d.]{0,40}# ${lines}`,
  ),
  // "The number of requests in the batch file (60000) exceeds the limit of 50000."
  words(
    String.raw`\b${lines}\b[^.;]{0,80}?(?:more than|exceeds?(?: the)? (?:limit|maximum)(?: of)?|(?:limit|maximum)(?: is| of|:)|not exceed|at most|limited to) #`,
  ),
  words(String.raw`(?:请求|行|任务)(?:总?数量?)?[^\d]{0,10}(?:不能超过|不超过|最多|上限)[^\d]{0,6}#`),
  words(String.raw`(?:最多|不超过|不能超过|上限)[^\d]{0,10}#\s*(?:个请求|条请求|行|条|个)`),
];

const size = String.raw`(\d+(?:[.,]\d+)*)\s*(bytes|[KMG]i?B)\b`;
const sizes: readonly RegExp[] = [
  /max_batch_file_size_mb of (\d+(?:\.\d+)?) (MB)/i,
  new RegExp(
    String.raw`(?:max(?:imum)?|limit|at most|up to|no larger than|exceeds?|must be (?:less|smaller) than)\b[^\d]{0,60}${size}`,
    'i',
  ),
  new RegExp(String.raw`(?:最大|不超过|不能超过|上限)[^\d]{0,10}${size}`, 'i'),
];
const units: Readonly<Record<string, number>> = {
  bytes: 1,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  KIB: 2 ** 10,
  MIB: 2 ** 20,
  GIB: 2 ** 30,
};

/** A size of one request, not of the file. */
const ofLine = /\b(?:each|every|single|per|one|a) (?:line|request|row|record)\b|单行|每行|单个请求|单条/i;
/** Limits of a rate, which are over after a while. */
const ofRate = /\bper (?:second|minute|min|hour|day)\b|rate limit|\b[RT]P[MD]\b|\/(?:min|day)\b/i;
const ofFile = /batch|file|payload|request (?:body|size)|jsonl|文件|批量/i;

/** Returns the limits that a message states. Accepts any text of a service. */
export function statedLimits(text: string): StatedLimits {
  const message = text.slice(0, mostChars);
  const below = numberIn(message, [outputsBelow]);
  const outputTokens = below === undefined ? numberIn(message, outputs) : below - 1;
  const contextTokens = outputTokens === undefined ? numberIn(message, contexts) : undefined;
  const enqueuedTokens = numberIn(message, enqueued);
  const isOfFile = enqueuedTokens === undefined && ofFile.test(message) && !ofRate.test(message);
  const ofBatch = {
    requests: isOfFile ? numberIn(message, requests) : undefined,
    bytes: isOfFile && !ofLine.test(message) ? bytesIn(message) : undefined,
  };
  const found = Object.entries({ outputTokens, contextTokens, enqueuedTokens, ...ofBatch });
  return Object.fromEntries(found.filter(([, value]) => value !== undefined && value > 0)) as StatedLimits;
}

function numberIn(message: string, patterns: readonly RegExp[]): number | undefined {
  for (const pattern of patterns) {
    const found = pattern.exec(message)?.[1];
    if (found !== undefined) return Number(found.replaceAll(/[,_]/g, ''));
  }
  return undefined;
}

function bytesIn(message: string): number | undefined {
  for (const pattern of sizes) {
    const [, digits, unit = ''] = pattern.exec(message) ?? [];
    if (digits !== undefined)
      return Math.floor(
        Number(digits.replaceAll(',', '')) * (units[unit.toUpperCase()] ?? units[unit.toLowerCase()] ?? 1),
      );
  }
  return undefined;
}

/** Returns the limits that the service stated when it rejected a batch, and in `more` messages; the last of each counts. */
export function statedBy({ batch, lastError }: BatchJob, more: readonly string[] = []): StatedLimits {
  const messages = [...(batch?.errors ?? []), lastError, lastError?.error].map((error) => error?.message ?? '');
  return Object.assign({}, ...[...messages, ...more].map(statedLimits)) as StatedLimits;
}
