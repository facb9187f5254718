import type { ThinkingMarks } from '../modelOptions.schema';
import { isCallStart, isMarkAlone, isOpenTagAlone, nameIn } from './callStarts';
import type { OfferedTools } from './callStarts';
import {
  answerTagIn,
  channelEnds,
  channelMessage,
  closeAt,
  findStripped,
  heldLength,
  isInCode,
  isIntroduced,
  isMention,
  isNamedEnd,
  isRemains,
  isStripped,
  isTurnEnd,
  lastMarksLength,
  nextTurnIn,
  readChannel,
  strayMark,
  strippedMarks,
  textStart,
  wordedEnd,
} from './thoughtMarks';
import type { Channel } from './thoughtMarks';
import { hasExampleCall, readBareCalls, readPlainCalls, readWrittenCalls } from './writtenCalls';
import type { WrittenCall } from './callStarts';

/** Receives the parts of a text, in order. */
export interface TextSink {
  text(piece: string): void;
  thinking(piece: string): void;
  /** All of the text so far was thinking, which begins with the name of its channel if `isChannel`. */
  wasThinking(isChannel: boolean): void;
  call(call: WrittenCall): void;
  /** All of the text so far was these calls, after the text `before`. */
  wasCalls(calls: readonly WrittenCall[], before?: string): void;
  /** The text contains a call that cannot be read, or whose tool is not offered. `mark`: it ends with nothing but the beginning of one. */
  unreadCall(mark?: string): void;
  /** An image with a data URL. */
  image(address: string, alternative: string): void;
}

export interface TextOptions {
  readonly tools: OfferedTools;
  /** Whether a closing mark without an opening one can end thinking. It can't if the text continues another one. */
  readonly isWhole: boolean;
  /** The model's own marks, besides the common ones. */
  readonly marks?: ThinkingMarks | undefined;
}

type Mode = 'start' | 'text' | 'stripped' | 'thinking' | 'header' | 'channel' | 'calls' | 'image' | 'over';

/** An image with a data URL, up to its first byte. */
const imageStart =
  /^(?:!\[([^\]\n]{0,500})\]\(\s*<?|<img\s[^<>]{0,500}?\bsrc=["'])(data:image\/[\w.+-]+(?:;[\w-]+=[\w.-]+)?;base64,)/;
const imagePrefix =
  /^(?:!(?:\[[^\]\n]{0,500}(?:\](?:\(\s*<?(?:d|da|dat|data|data:[\w/.+;=-]{0,60})?)?)?)?|<(?:i(?:m(?:g(?:\s[^<>]{0,600})?)?)?)?)$/;
/** Maximum number of times that marks in a text are examined, because each time reads the text before the mark. */
const mostLooks = 200;
/** Maximum length of consecutive marks after which an answer continues. More of them count as decoration. */
const mostMarksAmidText = 100;

/**
 * Separates the text of an answer, which arrives in arbitrary pieces, from the thinking at its start (in tags or channels), calls of
 * offered tools and images. A text without any of them passes unchanged and without delay.
 */
export class TextSplitter {
  private mode: Mode = 'start';
  /** Text whose meaning depends on the next piece. */
  private held = '';
  /** The text so far, in pieces. */
  private texts: string[] = [];
  private close = '';
  /** Whether the mark that ends a call was removed from the text. */
  private hasCallEnd = false;
  private channel: Channel | undefined;
  /** The input of the tool that a channel is for. */
  private toolInput = '';
  /** The pieces of calls, or of an image. */
  private gathered: string[] = [];
  private watchesClose: boolean;
  /** Whether thinking or calls can have left a mark in the text. */
  private mayHaveRemains: boolean;
  /** Matches a character with which a mark may begin. */
  private markStart: RegExp;
  /** Whether the text begins with the sentence that is Granite's mark. */
  private isWorded = false;
  private hasText = false;
  private looks = 0;
  private isInThought = false;
  /** Whether the previous part was thinking, which further thinking continues. */
  private isAfterThought = false;
  /** The tag that the answer after the thinking is in. */
  private answerTag = '';

  constructor(
    private readonly sink: TextSink,
    private readonly options: TextOptions,
  ) {
    this.watchesClose = options.isWhole;
    this.mayHaveRemains = options.tools.size > 0;
    const own = options.marks?.close.charAt(0).replace(/[\\\]^-]/, String.raw`\$&`) ?? '';
    this.markStart = new RegExp(String.raw`[<![◁&\\${own}]|\](?=<\]|<?$)`);
  }

  /** Call this when thinking arrives outside the text. A closing mark can then appear only at the start. */
  noteThinking(): void {
    this.watchesClose = false;
    this.mayHaveRemains = true;
  }

  /** Call this when a call arrives outside the text. */
  noteCall(): void {
    this.mayHaveRemains = true;
  }

  push(piece: string): void {
    if (this.mode === 'text' && this.held === '' && !this.markStart.test(piece)) this.tell(piece);
    else this.read(piece, false);
  }

  end(): void {
    this.read('', true);
    this.finish();
    if (this.options.isWhole && this.texts.length > 0 && this.options.tools.size > 0) this.readBare();
    this.texts = [];
  }

  /** Passes on the text that was held back, of an answer that breaks off. */
  flush(): void {
    this.read('', true);
  }

  private read(piece: string, isEnd: boolean): void {
    let rest: string | undefined = this.held + piece;
    this.held = '';
    while (rest !== undefined && rest !== '') rest = this.step(rest, isEnd);
  }

  private finish(): void {
    if (this.mode === 'calls') this.endCalls();
    else if (this.mode === 'image') this.tell(this.takeGathered());
    else this.endTool();
  }

  /** Reads the beginning of a text and returns the rest; `undefined` if nothing more can be read now. */
  private step(text: string, isEnd: boolean): string | undefined {
    switch (this.mode) {
      case 'start':
        return this.start(text, isEnd);
      case 'text':
        return this.plain(text, isEnd);
      case 'stripped':
        return this.stripped(text, isEnd);
      case 'thinking':
        return this.until([this.close], text, isEnd, (piece) => this.think(piece));
      case 'header':
        return this.header(text, isEnd);
      case 'channel':
        return this.until(channelEnds, text, isEnd, (piece) => this.inChannel(piece));
      case 'calls':
        return void this.gathered.push(text);
      case 'image':
        return this.gatherImage(text);
      case 'over':
        return undefined;
    }
  }

  private start(text: string, isEnd: boolean): string | undefined {
    const begun = text.trimStart();
    if (begun === '' && !isEnd) return this.hold(text);
    const found = textStart(begun, this.hasText, this.options.marks);
    const isAgain = this.hasText;
    const isBare = this.options.isWhole && !isAgain ? isStripped(begun) : false;
    if (begun !== '' && !isEnd && (found === 'wait' || isBare === 'wait')) return this.hold(text);
    const isWorded = typeof found === 'object' && found.type === 'worded';
    if (found === undefined || found === 'wait' || isWorded || (found.type === 'close' && !this.options.isWhole)) {
      this.isWorded = isWorded && this.options.isWhole && !isAgain;
      if (this.isWorded) this.markStart = new RegExp(`${this.markStart.source}|H`);
      this.mode = isBare === true ? 'stripped' : 'text';
      return isAgain ? begun : text;
    }
    this.hasText = true;
    if (found.type === 'channel') {
      this.mode = 'header';
      return begun;
    }
    this.answerTag = answerTagIn(begun.slice(0, found.length)) ?? this.answerTag;
    // A closing mark at the start ends thinking that is empty or arrived elsewhere.
    if (found.type === 'thinking') {
      this.mode = 'thinking';
      this.close = found.close;
    }
    return begun.slice(found.length);
  }

  private plain(text: string, isEnd: boolean): string | undefined {
    const at = text.search(this.markStart);
    if (at === -1 || this.looks > mostLooks) {
      this.tell(text);
      return undefined;
    }
    this.tell(text.slice(0, at));
    const rest = text.slice(at);
    const length = this.mark(rest, isEnd);
    if (length === 'wait' && !isEnd) return this.hold(rest);
    if (typeof length === 'number') return rest.slice(length);
    this.tell(rest[0]!);
    return rest.slice(1);
  }

  /** Reads a mark at the beginning of a text. Returns its length, `wait` if that depends on more text, or `undefined`. */
  private mark(text: string, isEnd: boolean): number | 'wait' | undefined {
    const close = this.watchesClose ? closeAt(text, this.options.marks) : undefined;
    const worded = this.isWorded && this.isAtLineStart() ? wordedEnd(text) : undefined;
    if (worded === 'wait') return 'wait';
    if (worded !== undefined) return this.endThought(worded);
    const endsTurn = isTurnEnd(text, isEnd);
    if (endsTurn === 'wait') return 'wait';
    if (typeof close === 'number' && !endsTurn) return this.lateClose(text, close, isEnd);
    const isCall = this.options.tools.size > 0 && isCallStart(text, this.options.tools);
    const isCut = isEnd && isCall === 'wait' && (isMarkAlone(text) || (isOpenTagAlone(text) && this.isAtLineStart()));
    if ((isCall === true || isCut) && !this.isInCode()) {
      this.mode = 'calls';
      return 0;
    }
    const image = imageStart.exec(text);
    if (image && !this.isInCode()) {
      this.mode = 'image';
      return 0;
    }
    const next = nextTurnIn(text, { isEnd, isLine: () => this.isAtLineStart() && !isIntroduced(this.tail()) });
    if (typeof next === 'object' && !this.isInCode() && !this.texts.join('').includes(next.mark)) {
      this.mode = 'over';
      return text.length;
    }
    const stray = strayMark(text, isEnd);
    if (typeof stray === 'number') this.hasCallEnd ||= text.slice(0, stray).includes('</tool_call>');
    if (stray === undefined && lastMarksLength(text) > mostMarksAmidText) this.looks += 1;
    if (typeof stray === 'number' && !this.isMeant(text.slice(0, stray))) return stray;
    return close === 'wait' || isCall === 'wait' || next === 'wait' || stray === 'wait' || imagePrefix.test(text)
      ? 'wait'
      : undefined;
  }

  private lateClose(text: string, length: number, isEnd: boolean): number | 'wait' | undefined {
    const after = text.slice(length);
    if (!isEnd && /^[ \t]*$/.test(after)) return 'wait';
    this.looks += 1;
    if (isMention(text.slice(0, length), this.texts.join(''), after, this.options.marks)) return undefined;
    return this.endThought(length);
  }

  /** Makes all of the text so far thinking, which a mark of this length ends. */
  private endThought(length: number): number {
    this.watchesClose = this.isWorded = false;
    this.sink.wasThinking(false);
    this.texts = [];
    this.hasText = true;
    this.mode = 'start';
    return length;
  }

  /** Whether a mark is part of the answer: in code, or as the end of an element. */
  private isMeant(mark: string): boolean {
    const text = this.texts.join('');
    this.looks += 1;
    const isLeft = this.mayHaveRemains || this.hasText || this.isAtLineStart();
    if ((isRemains(mark) && !isLeft) || isNamedEnd(mark, text)) return true;
    const closed = /^<\/(\w+)>/.exec(mark)?.[1];
    // The others end text that servers leave after calls.
    const isElement = closed !== undefined && closed !== this.answerTag && answerTagIn(`<${closed}>`) !== undefined;
    return isInCode(text) || (isElement && closed !== 'answer') || text.includes(`<${closed ?? ''}>`);
  }

  private isAtLineStart(): boolean {
    return /(?:^|\n)[ \t]*$/.test(this.tail());
  }

  private tail(): string {
    return this.texts.slice(-100).join('').slice(-100);
  }

  private isInCode(): boolean {
    this.looks += 1;
    return isInCode(this.texts.join(''));
  }

  /** Passes on the text up to one of these marks, which ends the mode. */
  private until(
    marks: readonly string[],
    text: string,
    isEnd: boolean,
    take: (piece: string) => void,
  ): string | undefined {
    const found = marks.map((mark) => ({ mark, at: indexOfMark(text, mark, isEnd) })).filter(({ at }) => at !== -1);
    const first = found.sort((left, right) => left.at - right.at)[0];
    if (first) {
      take(text.slice(0, first.at).trimEnd());
      return this.endMode(first.mark, text.slice(first.at));
    }
    const most = isEnd
      ? 0
      : Math.max(
          heldLength(text, marks),
          heldLength(
            text,
            marks.map((mark) => `\`${mark}\``),
          ),
        );
    // Spaces before the mark are not part of the thinking.
    const ready = text.slice(0, text.length - most);
    const end = isEnd ? ready.length : ready.trimEnd().length;
    take(ready.slice(0, end));
    return this.hold(text.slice(end));
  }

  private endMode(mark: string, text: string): string {
    this.isInThought = false;
    if (this.mode === 'thinking') {
      this.mode = 'start';
      return text.slice(mark.length);
    }
    this.endTool();
    const opensNext = mark === '<|start|>' || mark === '<|channel|>';
    this.mode = opensNext ? 'header' : 'start';
    return opensNext ? text : text.slice(mark.length);
  }

  private think(piece: string): void {
    const thought = this.isInThought ? piece : piece.trimStart();
    if (thought === '') return;
    this.sink.thinking(this.isAfterThought && !this.isInThought ? `\n\n${thought}` : thought);
    this.isInThought = true;
    this.isAfterThought = true;
  }

  private header(text: string, isEnd: boolean): string | undefined {
    const at = text.indexOf(channelMessage);
    if (at === -1 || at > 500) {
      if (!isEnd && text.length < 500) return this.hold(text);
      this.mode = 'text';
      return text;
    }
    this.channel = readChannel(text.slice(0, at));
    this.mode = 'channel';
    return text.slice(at + channelMessage.length);
  }

  private inChannel(piece: string): void {
    if (this.channel?.tool !== undefined && this.options.tools.size > 0) this.toolInput += piece;
    else if (this.channel?.isFinal) this.tell(piece);
    else this.think(piece);
  }

  private endTool(): void {
    const tool = this.channel?.tool;
    const input = this.toolInput;
    this.toolInput = '';
    this.channel = undefined;
    if (tool !== undefined && this.options.tools.size > 0) this.giveCall(tool, input);
  }

  private giveCall(written: string, text: string): void {
    const name = nameIn(written, this.options.tools);
    if (name === undefined) {
      this.sink.unreadCall();
      return this.think(text);
    }
    this.sink.call({ name, input: parsed(text) });
  }

  /** Reads gpt-oss without its marks: all but the final message is thinking, which shows only when the next one begins. */
  private stripped(text: string, isEnd: boolean): string | undefined {
    const take = (piece: string) => (this.channel ? this.inChannel(piece) : this.tell(piece));
    const found = findStripped(text, isEnd);
    const at = found
      ? 'wait' in found
        ? found.wait
        : found.at
      : text.length - (isEnd ? 0 : heldLength(text, strippedMarks));
    take(text.slice(0, at));
    if (!found || 'wait' in found) return this.hold(text.slice(at));
    if (this.channel) this.endTool();
    else this.sink.wasThinking(true);
    this.texts = [];
    this.hasText = true;
    this.channel = found.channel.isFinal ? undefined : found.channel;
    if (found.channel.isFinal) this.mode = 'start';
    return text.slice(found.content);
  }

  private gatherImage(text: string): string | undefined {
    this.gathered.push(text);
    const closing = this.gathered[0]!.startsWith('<') ? '>' : ')';
    if (!text.includes(closing)) return undefined;
    const whole = this.takeGathered();
    const [start, named] = imageStart.exec(whole)!;
    const end = whole.indexOf(closing, start.length);
    if (end === -1) return void this.gathered.push(whole);
    const alternative = named ?? /\balt=["']([^"']*)/.exec(whole.slice(0, end))?.[1] ?? '';
    const [address = ''] = /data:[^\s)>"']*/.exec(whole.slice(0, end)) ?? [];
    this.sink.image(address, alternative);
    this.texts = [];
    this.mode = 'text';
    return whole.slice(end + 1);
  }

  private endCalls(): void {
    const text = this.takeGathered();
    this.mode = 'text';
    const found = readWrittenCalls(text, this.options.tools);
    if (!found) {
      const isAlone = isMarkAlone(text);
      this.sink.unreadCall(isAlone ? text : undefined);
      if (!isAlone) this.tell(text);
    }
    this.texts = [];
    if (found?.before) this.sink.text(found.before);
    for (const call of found?.calls ?? []) this.sink.call(call);
    const rest = found?.rest ?? '';
    if (lastMarksLength(rest) < rest.length) this.sink.text(rest);
  }

  private takeGathered(): string {
    const text = this.gathered.join('');
    this.gathered = [];
    return text;
  }

  private readBare(): void {
    const text = this.texts.join('');
    const calls = readBareCalls(text, this.options.tools);
    if (calls === 'unknown') return this.sink.unreadCall();
    if (calls) return this.sink.wasCalls(calls);
    const plain = readPlainCalls(text, this.options.tools, this.hasCallEnd);
    if (plain) this.sink.wasCalls(plain.calls, plain.before);
    else if (hasExampleCall(text, this.options.tools)) this.sink.unreadCall();
  }

  private hold(text: string): undefined {
    this.held = text;
  }

  private tell(text: string): void {
    if (text === '') return;
    this.isAfterThought = false;
    this.texts.push(text);
    this.sink.text(text);
  }
}

/** Returns where a mark is in a text, but for one in backticks, or one that may be if more text follows. */
function indexOfMark(text: string, mark: string, isEnd: boolean): number {
  let at = text.indexOf(mark);
  while (at > 0 && text[at - 1] === '`' && (text[at + mark.length] ?? (isEnd ? '' : '`')) === '`')
    at = text.indexOf(mark, at + mark.length);
  return at;
}

function parsed(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
