import assert from 'node:assert/strict';
import { attachedText } from '../../../src/core/conversation/attachment';
import { autoTitle } from '../../../src/core/conversation/autoTitle';
import { readRecords } from '../../../src/core/conversation/record';
import { closingsOf } from '../../../src/core/batch/fixes/closeLine';
import { compact, valuesIn } from '../../../src/core/batch/fixes/values';
import { quickFixesOf } from '../../../src/core/batch/fixes/fixLine';
import { waysFor } from '../../../src/core/batch/fixes/fixTable';
import type { FileNames } from '../../../src/core/batch/fixes/strategy';
import type { LineProblem } from '../../../src/core/batch/problem';
import { isForeign } from '../../../src/core/batch/fixes/foreign/toRequest';
import { completionsAt } from '../../../src/core/batch/assist/complete';
import { describeAt, previewMessages } from '../../../src/core/batch/assist/describe';
import { lineFault, toFormatted } from '../../../src/core/batch/assist/lineText';
import { createLineFacts } from '../../../src/core/batch/index/lineFacts';
import { compileTemplate } from '../../../src/core/batch/making/template';
import { textRows } from '../../../src/core/batch/making/textRows';
import { readPreview } from '../../../src/core/batch/preview/previewLine';
import { csvLine, escaped } from '../../../src/core/batch/results/exportResults';
import { readLine } from '../../../src/core/batch/readLine';
import { readTrial } from '../../../src/core/batch/trial/readTrial';
import { fenced, quoted } from '../../../src/core/batch/trial/markdown';
import { shown } from '../../../src/core/batch/words/shown';
import { spreadProblem } from '../../../src/core/batch/fileProblems';
import { nearestIds } from '../../../src/core/catalogue/nearestIds';
import { readParameterText } from '../../../src/core/completion/parameterText';
import { promptBefore } from '../../../src/core/completion/promptText';
import { createScrub } from '../../../src/core/diagnosis/scrub';
import { trimSuggestion } from '../../../src/core/ghostText/trim';
import { countPrompts, expandPrompts } from '../../../src/core/imageRuns/promptVariants';
import { cleanKey, looksLikeKey } from '../../../src/core/profiles/apiKey';
import { normaliseBaseUrl } from '../../../src/core/profiles/baseUrl';
import { cursorAt } from '../../../src/core/prompts/cursor';
import { escapePlaceholders, fillPlaceholders, findPlaceholders } from '../../../src/core/prompts/placeholders';
import { promptQuickFixesOf } from '../../../src/core/prompts/quickFixes';
import { readPrompt } from '../../../src/core/prompts/readPrompt';
import { readJudgements } from '../../../src/core/ranking/judgements';
import { possibleSplits, splitText } from '../../../src/core/ranking/splitText';
import { chunksOf } from '../../../src/core/search/chunks';
import { createLineIndex, snippetsAround } from '../../../src/core/search/textSearch';
import { createFocus, createTextRanking, questionTerms } from '../../../src/core/search/textRanking';
import { bracketsClosed, escapeMarkdown, foreign, foreignLine, foreignLines } from '../../../src/core/text/foreignText';
import { readThemeFile } from '../../../src/core/theme/codeColours';
import { estimateTokens } from '../../../src/core/tokens/estimate';
import { readEntries } from '../../../src/core/usage/usage';
import { createGlob } from '../../../src/core/workspace/globs';
import { createGitignore, readIgnoreFile } from '../../../src/core/workspace/gitignore';
import { matchPaths } from '../../../src/core/workspace/pathMatches';
import { createRedact } from '../../../src/core/api/redact';
import { readErrorBody } from '../../../src/core/api/errorBody';
import { toApiError } from '../../../src/core/api/parseError';
import { parseRecipe } from '../../../src/core/assets/recipeFile';
import { altTextFrom } from '../../../src/core/assets/altText';
import { codeBlocksIn, namedPaths } from '../../../src/core/edits/answerCode';
import { coversInside } from '../../../src/core/edits/units';
import { fitEnd, placeCode } from '../../../src/features/chat/logic/codeTexts';
import { terminalProblem } from '../../../src/features/chat/logic/terminalProblem';
import { createMarkdownStream } from '../../../webview/markdown/markdownStream';
import { toMathMarkup } from '../../../webview/markdown/mathMarkup';
import { withoutOpenMarks } from '../../../webview/markdown/openMarks';
import { createMarkdownRenderer } from '../../../webview/markdown/renderer';
import { asMeant, readerFor } from '../../../src/core/api/chat/answerReader';
import { statusOf } from '../../../src/core/api/batches/batchForms';
import { parseResult } from '../../../src/core/batch/results/parseResult';
import { faultOf } from '../../../src/core/api/batches/batches.schema';
import { nameIn } from '../../../src/core/api/chat/callStarts';
import {
  hasExampleCall,
  readBareCalls,
  readPlainCalls,
  readWrittenCalls,
} from '../../../src/core/api/chat/writtenCalls';
import { listedPrices } from '../../../src/core/api/models/listedPrices';
import { inKnownForm } from '../../../src/core/api/otherForms';
import { readToolInput } from '../../../src/core/api/toolInput';
import { enteredPrices, writePrices } from '../../../src/core/prices/prices';
import { leadingObjects } from '../../../src/core/api/leadingJson';
import type { MessageEvent } from '../../../src/core/api/messages/messageEvents';
import { changesAfter, isLasting, withAnswerLimit } from '../../../src/core/batch/results/retryChanges';
import { readResult } from '../../../src/core/batch/results/resultLine';
import { statedLimits } from '../../../src/core/capabilities/statedLimits';
import type { EvalAssertion } from '../../../src/core/evals/evalConfig';
import { readExpectation } from '../../../src/core/evals/formats/assertions';
import { fillTemplate } from '../../../src/core/evals/formats/template';
import { readVerdict } from '../../../src/core/evals/graders/judge';
import { gradeLocally } from '../../../src/core/evals/graders/localGraders';
import { growthProblem, repeatedTexts } from '../../support/growth';

/** What a reader may look for again and again: an opening, a closing, half of an escape, a blank, a name. */
const parts = [
  ['a', ' ', '\n', '\t', '\r', '0', '/', '\\', '"', "'", '`', '~', '.', ',', ':', ';', '|', '=', '>', '#', '$', '%'],
  ['{', '}', '[', ']', '(', ')', '<', '&', '*', '_', '-', '?', '!', '\u200b', '\u0130', '漢', '👋', '\ud800'],
  ['a ', '\n\n', 'a\n', '\r\n', ' \n', '- a\n', '1. a\n', '# a\n', '> ', '| a |\n', '---\n', '--- a\n', '```\n'],
  ['{{', '{{a', '{{a}}', '{{ ', '{a|b}', '[a](', '[a]: b\n', '![', '](', '$(', '\\(', '\\[', '$$', '<a>', '<!--'],
  ['[]', '{}', '[{', '{"a":', '[1,', '"a",', '\\u', '\\ud800', '\\"', '%41', '&#65;', '&amp;', '73 ', '0x73,', '115,'],
  ['sk-', 'sk-a-', '-----BEGIN ', 'AKIA', 'bearer ', '://', 'http://a', 'a:a@', '**/', '*a', '?*', '{a,', '[a-', '(?:'],
  ['f(', 'city_time(', 'call:', '<escape>', 'a=', 'functions1'],
  ['a: ', 'a:\n', '  a: b\n', '&a ', '*a ', '<<<<<<< ', "''", '|\n', 'not found', 'error 404 ', 'the ', 'said '],
].flat();

const asked = { model: 'm', messages: [], tools: [{ name: 'city_time', input_schema: { type: 'object' } }] } as const;
const cityTime = new Map([['city_time', { properties: { city: { type: 'string' } } }]]);
const batchRequest = (content: string) =>
  JSON.stringify({ custom_id: 'a', body: { model: 'm', temperature: 1, max_tokens: 9, messages: [{ content }] } });

const assertion = (one: Partial<EvalAssertion>): EvalAssertion => ({
  type: 'equals',
  isNegated: false,
  class: 'local',
  value: 'a b',
  weight: 1,
  isBlocked: false,
  members: [],
  ...one,
});
const grade = (text: string, one: Partial<EvalAssertion>) =>
  gradeLocally({
    assertion: assertion(one),
    value: 'value' in one ? one.value : one.type?.includes('json') ? undefined : 'a b',
    text,
    response: { text, calls: [], isTruncated: false, isRefused: false },
    tools: [],
  });

/** Reads a text of a file or of a service in each way in which it is read somewhere. */
const readers: Readonly<Record<string, (text: string) => unknown>> = {
  'batch line': (text) => readLine(text),
  'text in a batch line': (text) => readLine(withText(text)),
  'property of a batch line': (text) => readLine(`{"custom_id":"a","body":{${JSON.stringify(text)}:1}}`),
  'model of a batch line': (text) => readLine(JSON.stringify({ custom_id: text, body: { model: text, messages: [] } })),
  'facts of a batch line': createLineFacts(),
  'first line of a batch file': (text) => spreadProblem(text),
  'completions in a batch line': (text) => completionsAt({ text, offset: text.length, models: [] }),
  'description in a batch line': (text) => describeAt(text, text.length - 1),
  'preview of messages': (text) => previewMessages(withText(text)),
  'formatted batch line': (text) => [toFormatted(text), toFormatted(withText(text)), lineFault(text)],
  'closings of a batch line': (text) => closingsOf(text),
  'quick fixes of a broken line': (text) =>
    waysFor('line.not-json').map((way) =>
      quickFixesOf(way, { text, problem: broken, root: undefined, file: fileNames }),
    ),
  'values of a file': (text) => [valuesIn(text), compact(text)],
  'line of another service': (text) => [isForeign(text), isForeign(withText(text))],
  'preview of a line': (text) => [readPreview(text), readPreview(withText(text))],
  'row template': (text) => compileTemplate(text, ['a']),
  'rows of a text': (text) => textRows(text, 'paragraph'),
  'cell of a table': (text) => [csvLine([text, text]), escaped(text), shown(text)],
  'trial of a line': (text) => [readTrial(text), quoted(text), fenced(text)],
  'prompt file': (text) => readPrompt(text),
  'front matter': (text) => readPrompt(`---\n${text}\n---\n${text}`),
  'variables of a prompt file': (text) => readPrompt(`---\nvariables:\n  ${text}\n---\n{{a}}`),
  'cursor in a prompt file': (text) => cursorAt(`---\n${text}\n---\n`, text.length),
  'quick fix in a prompt file': (text) =>
    promptQuickFixesOf(`---\n${text}\n---\n`, { code: 'variable.unused', span: { start: 4, end: 5 } }),
  placeholders: (text) => [
    [...findPlaceholders(text)],
    fillPlaceholders(text, new Map([['a', 'b']])),
    escapePlaceholders(text),
  ],
  'similar IDs': (text) => nearestIds(text, [`${text}a`, text.slice(1), 'a', `b/${text}`]),
  redaction: createRedact(['sk-aaaaaaaaaaaaaaaaaaaaaaaaaaaa']),
  scrubbing: createScrub({ keys: ['sk-aaaaaaaaaaaaaaaaa'], folders: ['/home/a'], names: ['aaa'] }),
  'untrusted text': (text) => [foreign(text), foreignLine(text, 120), foreignLines(text, 1e6), bracketsClosed(text)],
  'untrusted text as Markdown': (text) => escapeMarkdown(text),
  'rejection of a batch request': (message) => [
    isLasting({ code: '400', message }, 400),
    changesAfter({ code: '400', message }, batchRequest('')),
    statedLimits(message),
  ],
  'batch request that is retried': (text) => withAnswerLimit(batchRequest(text), 5),
  'result of a batch request': (text) => [
    readResult({ custom_id: 'a', response: { body: { choices: [{ message: { content: text } }] } } }),
    readResult({ custom_id: 'a', response: { status_code: 500, body: text } }),
  ],
  'answer with thoughts and calls in its text': (text) =>
    asMeant({ content: [{ type: 'text', text }], usage: {} }, asked),
  'streamed answer with thoughts and calls in its text': (text) => streamedAnswer(text, 50),
  'calls written as text': (text) => [
    readBareCalls(text, cityTime),
    readBareCalls(`[city_time(${text})]`, cityTime),
    readBareCalls(`{"tool_calls":[${text}`, cityTime),
    readWrittenCalls(`<tool_call>${text}`, cityTime),
    readWrittenCalls(`<function=city_time>${text}`, cityTime),
    readWrittenCalls(`<tool_call>call:city_time{${text}`, cityTime),
    readWrittenCalls(`<city_time>${text}`, cityTime),
    readWrittenCalls(`<|open|>tools${text}`, cityTime),
    readWrittenCalls(`<|recipient|>city_time<|content|>${text}`, cityTime),
    readPlainCalls(text, cityTime, true),
    readPlainCalls(`functions.city_time:0${text}`, cityTime, true),
    readPlainCalls(`functioncity_time${text}`, cityTime, true),
    readPlainCalls(`to=functions.city_time${text}`, cityTime, true),
    readPlainCalls(`city_time${text}`, cityTime, false),
    readPlainCalls(`a\n\`\`\`tool_code\n${text}`, cityTime, false),
    readPlainCalls(`Action: city_time${text}`, cityTime, false),
    readPlainCalls(`TOOL_NAME: city_time\n${text}`, cityTime, false),
    readPlainCalls(`TOOL_NAME: city_time\nBEGIN_ARG: city\n${text}`, cityTime, false),
    hasExampleCall(`${text}\n\`\`\``, cityTime),
    nameIn(text, cityTime),
    nameIn(`functions${text}`, cityTime),
  ],
  'input of a call': (text) => [readToolInput(text), readToolInput(`{${text}`), readToolInput(`{${text}}`)],
  "answer in another service's format": (text) => [
    inKnownForm({ response: text }),
    inKnownForm({ response: text, done: true }),
    inKnownForm({ type: `response.${text}`, delta: text }),
    inKnownForm({ data: { result: { response: text } } }),
    inKnownForm({ object: 'response', output: [{ type: 'message', content: [{ text }] }] }),
  ],
  'prices of a model': (text) => [
    listedPrices({ id: text, type: text, pricing: { currency: text, unit: text, prompt: text } }),
    enteredPrices({ [text]: { input: text } }, text),
    enteredPrices({ 'a*a*a*b': { input: 1 } }, text),
    writePrices({ [text]: 1 }),
  ],
  'result that is not JSON': (text) => [parseResult(`{'a': '${text}`), parseResult(`{"a": NaN, "b": "${text}`)],
  'fault of a batch': (text) => [faultOf(text), faultOf({ message: text, line: text }), statusOf(text)],
  'answer that an eval grades': (text) =>
    'is-xml contains-xml is-html contains-html is-json contains-json word-count is-refusal rouge-n contains-all equals'
      .split(' ')
      .map((type) => grade(text, { type })),
  'answer with a number, a label, and fields': (text) => [
    grade(text, { type: 'equals', value: '1', config: { as: 'numeric' } }),
    grade(text, { type: 'equals', value: 'a', config: { as: 'label', labels: ['a', 'b'] } }),
    grade(text, { type: 'equals', value: { a: 1 }, config: { as: 'fields' } }),
  ],
  'verdict of a judge': (text) => readVerdict(assertion({ type: 'llm-rubric' }), text),
  'template of an eval': (text) => [
    fillTemplate(text, new Map([['a', 'b']])),
    fillTemplate(`{{a${text}}}`, new Map([['a', 'b']])),
  ],
  'expectation in a table': (text) => [readExpectation(text), readExpectation(`contains-any: ${text}`)],
  'objects at the start of a text': (text) => leadingObjects(text),
  'error of a service': (body) => [readErrorBody(body), toApiError({ status: 404, headers: {}, body, now: 0 })],
  'error of a service as JSON': (message) =>
    toApiError({ status: 400, headers: {}, body: JSON.stringify({ error: { message } }), now: 0 }),
  'history of a conversation': (text) => [readRecords(text), autoTitle(text)],
  attachment: (text) => attachedText({ kind: 'file', label: text, language: 'a', text, tokens: 1 }),
  'ledger of usage': (text) => readEntries(text),
  judgements: (text) => readJudgements(text),
  recipe: (text) => [parseRecipe(text), altTextFrom(text)],
  theme: (text) => readThemeFile(text),
  'completion parameters': (text) => [readParameterText(text), readParameterText(`{${text}}`)],
  'text before the cursor': (text) => promptBefore(text, 1e6),
  'inline suggestion': (text) => trimSuggestion(text, { before: text, after: text }),
  'prompts with alternatives': (text) => {
    const forms = { alternatives: true, lines: true };
    return [countPrompts(text, forms), expandPrompts(text, forms, 100)];
  },
  key: (text) => [cleanKey(text), looksLikeKey(text)],
  'base URL': (text) => [normaliseBaseUrl(text), normaliseBaseUrl(`https://a.b/${text}`)],
  'split text': (text) => [possibleSplits(text), splitText(text, 'paragraphs')],
  'chunks of a file': (text) => [...chunksOf(text)],
  'ranking of texts': (text) => [questionTerms(text), createFocus('a the said')(text), rankedText(text)],
  'search in a text': (text) => [createLineIndex(text), snippetsAround(text, [{ start: 0, end: 1 }], 2)],
  'estimate of tokens': (text) => estimateTokens(text),
  path: (text) => [matchPaths([text], 'a', 10), createGlob(['**/*.env', '*a*a*'])(text)],
  'ignore file': (text) => createGitignore([readIgnoreFile('', text)])('a/b/a'),
  'code of an answer': (text) => [fitEnd(text, text), placeCode(text, codePlace(text)), terminalProblem(text)],
  Markdown: (text) => renderer.render(text, Object.create(null) as never),
  'growing Markdown': (text) => streamed(text),
  'open end of Markdown': (text) => withoutOpenMarks(text),
  formula: (text) => [toMathMarkup(`$${text}$`), toMathMarkup(text)],
};

const fileNames: FileNames = { freshId: (like) => like, model: 'm' };
const broken: LineProblem = { code: 'line.not-json', message: '', span: { start: 0, end: 1 }, line: 0 };
const renderer = createMarkdownRenderer();

/** A line of a batch file whose message is this text. */
function withText(content: string): string {
  return JSON.stringify({
    custom_id: 'a',
    method: 'POST',
    body: { model: 'm', messages: [{ role: 'user', content }] },
  });
}

function rankedText(text: string): unknown {
  const ranking = createTextRanking('a the said');
  ranking.add('', text, text);
  return ranking.best(1);
}

function codePlace(text: string) {
  const lines = text.split('\n');
  return { line: 0, column: 0, lineAt: (index: number) => lines[index] };
}

/** Feeds a text as it arrives: in as many pieces for a short one as for a long one, because each step looks at what is open. */
function streamed(text: string): unknown {
  const stream = createMarkdownStream(renderer);
  const pieces = 10;
  for (let piece = 0; piece < pieces; piece++) {
    stream.push(text.slice((text.length * piece) / pieces, (text.length * (piece + 1)) / pieces));
    stream.step();
  }
  return stream.end();
}

/** Reads an answer that arrives in pieces of so many characters. */
function streamedAnswer(text: string, length: number): void {
  const reader = readerFor(asked);
  const events: MessageEvent[] = [];
  reader.push({ type: 'blockStart', index: 0, block: { type: 'text' } }, events);
  for (let at = 0; at < text.length; at += length)
    reader.push({ type: 'text', index: 0, text: text.slice(at, at + length) }, events);
  reader.push({ type: 'blockStop', index: 0, block: { type: 'text', text } }, events);
  reader.push({ type: 'end', message: { content: [{ type: 'text', text }], usage: {} } }, events);
}

/** Compares an answer with a reference of its length, by types that are bounded at 20,000 words. */
function gradeWords(text: string): unknown {
  return ['bleu', 'gleu', 'meteor'].map((type) => grade(text, { type, value: text.replaceAll('was', 'is') }));
}

/** In characters: what is quadratic takes a second for ten times as many. */
const size = 3000;

describe('CPU time of reading ten times as much repetitive text', function () {
  // Hundreds of texts for each reader, which other processes may slow down.
  this.timeout(300_000);

  for (const [subject, read] of Object.entries(readers)) {
    it(`grows less than 20-fold for: ${subject}`, async () => {
      const problems: string[] = [];
      for (const { name, make } of repeatedTexts(parts)) {
        const problem = await growthProblem({ name, make, read, size });
        if (problem !== undefined) problems.push(problem);
      }
      assert.deepEqual(problems, []);
    });
  }
});

describe('CPU time of reading ten times as much text of one form', function () {
  this.timeout(60_000);

  const repeated = (part: string, size: number) => ({
    size,
    make: (length: number) => part.repeat(length / part.length),
  });
  const forms = {
    'unclosed parameters of calls': {
      size: 40,
      make: (length: number) => '</parameter>'.repeat(length) + '<parameter='.repeat(length),
      read: (text: string) => readWrittenCalls(`<function=city_time>${text}`, cityTime),
    },
    'tags of a tool': { ...repeated('<city_time>', 5000), read: (text: string) => readWrittenCalls(text, cityTime) },
    'names of arguments without a value': {
      ...repeated('<arg_key>', 5000),
      read: (text: string) => readWrittenCalls(`<tool_call>city_time ${text}`, cityTime),
    },
    'tags in sentences': {
      ...repeated('the <function=city_time> is one. ', 5000),
      read: (text: string) => asMeant({ content: [{ type: 'text', text }], usage: {} }, asked),
    },
    'unclosed arguments of a call': {
      ...repeated('BEGIN_ARG: city\n', 5000),
      read: (text: string) => readPlainCalls(`TOOL_NAME: city_time\n${text}`, cityTime, false),
    },
    'lines of a thought that begin like its end': {
      ...repeated('Here is my response.\n', 5000),
      read: (text: string) => streamedAnswer(`Here is my thought process:\n${text}`, 13),
    },
    'fences in Markdown files': {
      ...repeated('```md\n\n```\na\n', 5000),
      read: (text: string) => [streamed(text), codeBlocksIn(text), withoutOpenMarks(text.slice(0, 20_000))],
    },
    'unclosed calls': { ...repeated('<function=', 5000), read: (text: string) => readWrittenCalls(text, cityTime) },
    'names before the input of a call': {
      ...repeated('functions.', 5000),
      read: (text: string) => [
        readPlainCalls(text, cityTime, true),
        readPlainCalls(`.${text.replaceAll('s.', '.')}`, cityTime, true),
      ],
    },
    'spaces after an unclosed call': {
      ...repeated(' ', 3000),
      read: (text: string) => readPlainCalls(`x\n{${text}\nx`, cityTime, true),
    },
    'delimiters within an answer': {
      ...repeated('</tool_call>\n', 3900),
      read: (text: string) => asMeant({ content: [{ type: 'text', text: `x ${text}y` }], usage: {} }, asked),
    },
    'delimiters in groups': {
      ...repeated(`${'</s>'.repeat(300)}y`, 12_000),
      read: (text: string) => asMeant({ content: [{ type: 'text', text: `x ${text}y` }], usage: {} }, asked),
    },
    'streamed delimiters within an answer': {
      ...repeated('</tool_call>\n', 11_700),
      read: (text: string) => streamedAnswer(`${text}y`, 13),
    },
    'dashes after a path': {
      size: 2,
      make: (length: number) => `a.ts ${'- '.repeat(length)}${'x'.repeat(100)}`,
      read: (above: string) => namedPaths({ code: '', language: '', info: '', above, isClosed: true }),
    },
    'unclosed tags': {
      size: 400,
      make: (length: number) => Array.from({ length }, (_, index) => `<a${index} b>`).join(''),
      read: (text: string) => grade(text, { type: 'contains-xml' }),
    },
    'equal words of an answer and its reference': { ...repeated('the sat the was ', 8000), read: gradeWords },
    'different words of an answer and its reference': {
      size: 2000,
      make: (length: number) => Array.from({ length }, (_, index) => `word${index}s`).join(' '),
      read: gradeWords,
    },
    'a minified line': {
      ...repeated('(a):b,', 12_000),
      read: (line: string) => {
        const unit = { start: 0, head: 0, end: 1 };
        return coversInside([line], unit, [line], unit);
      },
    },
  };

  for (const [name, form] of Object.entries(forms)) {
    it(`grows less than 20-fold for: ${name}`, async () => {
      assert.equal(await growthProblem({ name, ...form }), undefined);
    });
  }
});
