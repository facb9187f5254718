import { type CatalogueModel, voiceOf } from '../catalogue';
import type { ContentEffect } from '../faults/fault';
import { hashOf } from '../seeded';
import { readParts } from './attachments';
import { compose, composeJson, composeThinking, isAnswerable } from './compose';
import { withoutButtons } from './productHelp';
import { type Attachment, type Question, readQuestion } from './question';
import { type Tool, type ToolChoice, aboutResults, callInput, chooseTools, isFileReader } from './tools';
import { signatureOf } from './signature';
import { countTokens, tokenise } from './tokens';
import { answerVerdict } from './verdicts';

export interface Turn {
  readonly role: 'user' | 'assistant' | 'system';
  readonly text: string;
  readonly images: number;
  readonly toolCalls: readonly { readonly id: string; readonly name: string }[];
  readonly toolResults: readonly { readonly id: string; readonly text: string; readonly isError: boolean }[];
}

export interface ChatRequest {
  readonly model: CatalogueModel;
  readonly turns: readonly Turn[];
  readonly system: string;
  readonly tools: readonly Tool[];
  readonly toolChoice: ToolChoice;
  readonly parallelTools: boolean;
  readonly stop: readonly string[];
  readonly maxTokens: number;
  readonly seed?: number | undefined;
  /** Unset: the model's default. */
  readonly think?: boolean | undefined;
  readonly thinkingBudget?: number | undefined;
  readonly json: boolean;
  readonly content?: ContentEffect | undefined;
  /** Block kinds that the answer contains whatever the question is. */
  readonly mustHold: readonly ('thinking' | 'tool')[];
  /** In a batch, no button can be selected. */
  readonly isInBatch?: boolean;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** The input, as JSON. */
  readonly json: string;
  /** Unset: the answer's token limit ends within the input. */
  readonly isWhole: boolean;
}

export interface ChatAnswer {
  /** Empty without thinking. */
  readonly thinking: string;
  readonly signature: string;
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  readonly end: 'done' | 'length' | 'tool' | 'stopSequence' | 'refusal' | 'unknown';
  readonly stopSequence: string | undefined;
  readonly inputTokens: number;
  /** Includes the thinking. */
  readonly outputTokens: number;
  readonly thinkingTokens: number;
}

/** Estimates the input tokens of a request. */
export function inputTokensOf({ turns, system, tools }: ChatRequest): number {
  const said = turns.map((turn) => `${turn.text}${turn.toolResults.map((result) => result.text).join('')}`).join('\n');
  const images = turns.reduce((sum, turn) => sum + turn.images, 0);
  const described = tools.map((tool) => tool.name + tool.description + JSON.stringify(tool.schema)).join('');
  return countTokens(said) + countTokens(system) + countTokens(described) + turns.length * 4 + images * 258 + 3;
}

/** Answers a conversation. The answer depends only on the request, so that it is reproducible. */
export function answerChat(request: ChatRequest): ChatAnswer {
  const question = questionOf(request);
  const last = request.turns.at(-1);
  const prefill = last?.role === 'assistant' ? last.text : '';
  const userTurn = last?.role === 'assistant' ? request.turns.at(-2) : last;
  // If text accompanies the tool results, the text is what to answer.
  const results = userTurn?.text === '' && filesRead(request.turns).length === 0 ? userTurn.toolResults : [];
  const calls = roundsSince(request.turns) < timesRepeated(question) ? callsFor(request, question) : [];
  const thinking = thinks(request) ? limited(composeThinking(question), request.thinkingBudget ?? Infinity) : '';
  const said = cut(request, continueFrom(prefill, textFor(request, question, results, calls)));
  const fitting = said.end === 'length' ? [] : cutCalls(calls, request.maxTokens - countTokens(said.text));
  const isCut = said.end === 'length' || fitting.length < calls.length || fitting.some(({ isWhole }) => !isWhole);
  const empties = request.content === 'empty' || request.content === 'thinkingOnly';
  const shown = empties ? { text: '', calls: [] } : { text: said.text, calls: fitting };
  return {
    thinking: request.content === 'empty' ? '' : thinking,
    signature: thinking === '' ? '' : signatureOf(thinking, question.ask),
    text: shown.text,
    toolCalls: shown.calls,
    end: endOf(request, isCut ? 'length' : said.end, shown.calls.length > 0),
    stopSequence: said.stopSequence,
    inputTokens: inputTokensOf(request),
    outputTokens:
      countTokens(thinking) + countTokens(shown.text) + shown.calls.reduce((sum, call) => sum + tokensOf(call), 0),
    thinkingTokens: countTokens(thinking),
  };
}

/** Counts the rounds of tool results since the last question, including those in a transcript that replaces them. */
function roundsSince(turns: readonly Turn[]): number {
  const questionIndex = turns.findLastIndex((turn) => turn.role === 'user' && turn.text !== '');
  const rounds = readRetold(turns[questionIndex]?.text ?? '')?.rounds ?? 0;
  return rounds + turns.slice(questionIndex + 1).filter((turn) => turn.toolResults.length > 0).length;
}

/** Returns the number of tool rounds asked for: "Look it up 3 times" means three rounds, one after the other. */
function timesRepeated({ ask }: Question): number {
  const [, figure] = /\b(\d{1,3}) times\b|(\d{1,3}) ?次/.exec(ask) ?? [];
  return figure === undefined ? 1 : Number(figure);
}

function endOf({ content }: ChatRequest, end: ChatAnswer['end'], calls: boolean): ChatAnswer['end'] {
  if (content === 'refusal') return 'refusal';
  if (content === 'unknownStopReason') return 'unknown';
  return calls && end !== 'length' ? 'tool' : end;
}

/** Returns what file-reading tools have returned since the last question. */
function filesRead(turns: readonly Turn[]): readonly Attachment[] {
  const since = turns.slice(turns.findLastIndex((turn) => turn.role === 'user' && turn.text !== '') + 1);
  const readers = new Set(
    since.flatMap(({ toolCalls }) => toolCalls.flatMap(({ id, name }) => (isFileReader(name) ? id : []))),
  );
  return since
    .flatMap(({ toolResults }) => toolResults)
    .filter(({ id, isError }) => readers.has(id) && !isError)
    .flatMap(({ text }) => {
      const { attachments } = readParts(text);
      return attachments.length > 0 ? attachments : [{ text }];
    });
}

function questionOf({ turns, system, seed, model }: ChatRequest): Question {
  const userTurns = turns.filter((turn) => turn.role === 'user' && (turn.text !== '' || turn.images > 0));
  const last = userTurns.at(-1);
  const systemText = [system, ...turns.filter((turn) => turn.role === 'system').map((turn) => turn.text)]
    .join('\n')
    .trim();
  const init = {
    text: readRetold(last?.text ?? '')?.ask ?? last?.text ?? '',
    seed,
    earlier: [
      ...userTurns.slice(0, -1).flatMap((turn) => questionsIn(turn.text)),
      ...questionsIn(last?.text ?? '').slice(0, -1),
    ],
    system: systemText,
    images: last?.images ?? 0,
    voice: voiceOf(model),
  };
  const question = readQuestion(init);
  const read = filesRead(turns).map((file) => ({
    ...(question.openFile === '' ? {} : { name: question.openFile }),
    ...file,
  }));
  return read.length === 0 ? question : readQuestion({ ...init, read });
}

function thinks({ model, think, mustHold, content }: ChatRequest): boolean {
  if (mustHold.includes('thinking') || content === 'thinkingOnly' || model.thinks === 'always') return true;
  return think ?? model.thinks === 'yes';
}

function callsFor(
  { turns, tools, toolChoice, parallelTools, mustHold }: ChatRequest,
  question: Question,
): readonly ToolCall[] {
  const forced = mustHold.includes('tool');
  const offered =
    forced && tools.length === 0
      ? [{ name: 'lookup', description: '', schema: { type: 'object', properties: { query: { type: 'string' } } } }]
      : tools;
  const choice: ToolChoice = forced && toolChoice.type === 'auto' ? { type: 'any' } : toolChoice;
  const how = { parallel: parallelTools, isAnswerable: isAnswerable(question) };
  return chooseTools(offered, choice, question, how).map((tool, index) => ({
    id: `toolu_${hashOf(question.ask, tool.name, index, turns.length).toString(36).padStart(7, '0')}${index}`,
    name: tool.name,
    json: JSON.stringify(callInput(tool, question)),
    isWhole: true,
  }));
}

const tokensOf = ({ name, json }: ToolCall): number => countTokens(name) + countTokens(json);

/** Returns the calls that fit into so many tokens, the last of them perhaps in part. */
function cutCalls(calls: readonly ToolCall[], tokens: number): readonly ToolCall[] {
  const fitting: ToolCall[] = [];
  let left = tokens;
  for (const call of calls) {
    const room = left - countTokens(call.name);
    if (room <= 0) break;
    const json = limited(call.json, room);
    fitting.push({ ...call, json, isWhole: json === call.json });
    left = room - countTokens(json);
  }
  return fitting;
}

function textFor(
  request: ChatRequest,
  question: Question,
  results: Turn['toolResults'],
  calls: readonly ToolCall[],
): string {
  if (request.content === 'refusal') return question.say('I cannot help with that.', '这个我不能帮忙。');
  if (calls.length > 0)
    return question.say(
      `I will ask ${calls.map((call) => `\`${call.name}\``).join(' and ')}.`,
      `我来调用 ${calls.map((call) => `\`${call.name}\``).join('、')}。`,
    );
  if (results.length > 0) {
    const names = new Map(request.turns.flatMap((turn) => turn.toolCalls.map((call) => [call.id, call.name] as const)));
    return aboutResults(
      question,
      results.map((result) => ({ ...result, name: names.get(result.id) ?? 'tool' })),
    );
  }
  const { turns, system, json, isInBatch = false } = request;
  const verdict = answerVerdict([system, ...turns.map(({ text }) => text)]);
  const text = verdict ?? (json ? composeJson(question) : compose(question));
  return isInBatch ? withoutButtons(text) : text;
}

/** Returns the rest of the answer, after what the assistant's prefill already says. */
function continueFrom(prefill: string, text: string): string {
  if (prefill === '') return text;
  if (text.startsWith(prefill)) return text.slice(prefill.length);
  if (/^\s*[{[]/.test(prefill)) return closeJson(prefill, text);
  const open = (prefill.match(/```/g)?.length ?? 0) % 2 === 1;
  const code = /```[\w]*\n([\s\S]*?)```/.exec(text)?.[1];
  if (open) return `${prefill.endsWith('\n') ? '' : '\n'}${code ?? `${text}\n`}\`\`\``;
  return `${/\s$/.test(prefill) ? '' : ' '}${text}`;
}

/** Completes JSON text that broke off: adds one more value and closes what is open. */
function closeJson(prefill: string, text: string): string {
  const stack: string[] = [];
  let inText = false;
  for (const [at, letter] of Array.from(prefill).entries()) {
    if (letter === '"' && prefill[at - 1] !== '\\') inText = !inText;
    else if (!inText && (letter === '{' || letter === '[')) stack.push(letter === '{' ? '}' : ']');
    else if (!inText && (letter === '}' || letter === ']')) stack.pop();
  }
  const value = JSON.stringify(text.slice(0, 200));
  const open = prefill.trimEnd();
  const inner = stack.at(-1) === '}';
  if (inText)
    return `${value.slice(1, -1)}"${inner && /[{,]\s*"[^"]*$/.test(open) ? `: ${value}` : ''}${stack.toReversed().join('')}`;
  if (open.endsWith(':')) return `${value}${stack.toReversed().join('')}`;
  if (/[{,[]$/.test(open)) return `${inner ? '"answer": ' : ''}${value}${stack.toReversed().join('')}`;
  return stack.toReversed().join('');
}

const limited = (text: string, tokens: number): string => tokenise(text).slice(0, tokens).join('');

/** Ends the text at the first stop sequence or at the token limit, whichever comes first. */
function cut({ stop, maxTokens }: ChatRequest, text: string): Pick<ChatAnswer, 'text' | 'end' | 'stopSequence'> {
  const found = stop
    .filter((sequence) => sequence !== '')
    .map((sequence) => ({ sequence, at: text.indexOf(sequence) }))
    .filter((match) => match.at >= 0)
    .toSorted((a, b) => a.at - b.at)[0];
  const stopped = found === undefined ? text : text.slice(0, found.at);
  const pieces = tokenise(stopped);
  if (pieces.length > maxTokens)
    return { text: pieces.slice(0, maxTokens).join(''), end: 'length', stopSequence: undefined };
  return { text: stopped, end: found === undefined ? 'done' : 'stopSequence', stopSequence: found?.sequence };
}

/** The question in a turn that begins with a transcript of the earlier conversation. */
interface Retold {
  /** The text below the transcript; if there is none, the transcript's last question. */
  readonly ask: string;
  /** How many rounds of tool results the transcript contains after that question. */
  readonly rounds: number;
}

/** A heading is a line in brackets; the text below it is on lines that begin with "> ". */
const heading = /^\[(.+)\]$/;
const end = /^\[End of the transcript\b.*\]$/;
const result = /^(?:result|error) of call /;

/** Returns the questions of a turn: those of the transcript that it begins with, and its own. */
export function questionsIn(text: string): readonly string[] {
  const lines = text.split('\n');
  const endsAt = lines.findIndex((line) => end.test(line));
  if (endsAt < 0) return [text];
  const questions: string[][] = [];
  let section = '';
  for (const line of lines.slice(0, endsAt)) {
    const [, next] = heading.exec(line) ?? [];
    if (next !== undefined) {
      section = next;
      if (next === 'user') questions.push([]);
    } else if (section === 'user' && line.startsWith('> ')) questions.at(-1)?.push(line.slice(2));
  }
  const below = lines
    .slice(endsAt + 1)
    .join('\n')
    .trim();
  return [...questions.map((said) => said.join('\n')), ...(below === '' ? [] : [below])];
}

/** Reads the question of a turn that begins with a transcript; `undefined` for any other text. */
export function readRetold(text: string): Retold | undefined {
  const lines = text.split('\n');
  const endsAt = lines.findIndex((line) => end.test(line));
  if (endsAt < 0) return undefined;
  const below = lines
    .slice(endsAt + 1)
    .join('\n')
    .trim();
  if (below !== '') return { ask: below, rounds: 0 };
  let section = '';
  let said: string[] = [];
  let rounds = 0;
  for (const line of lines.slice(0, endsAt)) {
    const [, next] = heading.exec(line) ?? [];
    if (next !== undefined) {
      if (next === 'user') [said, rounds] = [[], 0];
      else if (result.test(next) && !result.test(section)) rounds += 1;
      section = next;
    } else if (section === 'user' && line.startsWith('> ')) said.push(line.slice(2));
  }
  return { ask: said.join('\n'), rounds };
}
