import type { Event, Uri } from 'vscode';

/**
 * What Inference Desk offers other extensions. This file holds types alone: copy it into your project, from
 * `dist/inferenceDesk.d.ts` of the installed extension. The object itself is what the extension exports:
 *
 *     const extension = vscode.extensions.getExtension<InferenceDeskApi>('inference-desk.inference-desk');
 *     const api = await extension?.activate();
 *     const desk = await api?.connect(context.extension.id);
 *
 * Everything that goes wrong is thrown as an `InferenceDeskError`, but for what an `AbortSignal` stopped: that rejects with the
 * signal's reason, as `fetch` does. No member hands out a key or the address of a service.
 */
export interface InferenceDeskApi {
  /** Of this contract. Members may come; where one goes or changes its meaning, this number grows. */
  readonly version: 1;
  /**
   * Asks the person, once, whether this extension may use their account, and resolves when they agree. Call it when the person does
   * something that needs it, not while you are activated. An answer is kept by the id: "Allow Always" and "Deny" until the person
   * changes it ("Inference Desk: Manage Extension Access"), "Allow in This Window" until the window is loaded anew. Nobody has to
   * be signed in yet. Asked again, it gives the same desk until that one has ended.
   *
   * This is a courtesy towards the person, not a security boundary: the editor does not tell who calls, so the id is the caller's word.
   *
   * @param extensionId Your own, `context.extension.id`.
   * @param signal Stops waiting; a question that is open stays, and its answer is kept.
   * @throws `unknownExtension`, `denied`, `invalidInput`
   */
  connect(extensionId: string, signal?: AbortSignal): Promise<InferenceDesk>;
}

/**
 * One extension's way to the account of the active profile: whichever that is when a call begins. Calls of text are counted in the
 * same daily ledger as the person's own, and refused once the daily token budget (`inferenceDesk.chat.dailyTokenBudget`) is used up.
 * All calls share the limits of the service with the person's: what is above them waits and is sent later; stop it by the signal.
 * In Restricted Mode only `models` and `checkBatchText` work. Arguments are copied: what you change later has no effect.
 */
export interface InferenceDesk {
  /** As the editor spells it. */
  readonly extensionId: string;
  /** The person took the access back, the extension went, or Inference Desk is stopping: every call rejects with `ended`. */
  readonly isEnded: boolean;
  /** Fires once. What was under way is stopped. */
  readonly onDidEnd: Event<void>;
  /** Another answer of `models`: models came or went, another default was chosen, or another profile is active. */
  readonly onDidChangeModels: Event<void>;
  /**
   * The models of the account, in the service's order. From memory where the list is less than ten minutes old. Free of charge.
   *
   * @throws `signedOut`, and what a call to the service can fail with
   */
  models(signal?: AbortSignal): Promise<readonly DeskModel[]>;
  /**
   * Ranks texts by how well they fit a query. Costs money. Many documents are sent in several requests; where one fails, this
   * rejects, and the answers that were paid for are in `partial` of the error.
   */
  rerank(request: RerankRequest, signal?: AbortSignal): Promise<Reranking>;
  /**
   * Continues a text: no chat, the model goes on where the prompt ends (for chat, see `vscode.lm`). Costs
   * money. Nothing is sent before the first step of the loop. Leaving the loop, or the signal, ends the request; what came is paid.
   *
   *     for await (const part of desk.complete({ prompt: 'def add(a, b):\n' })) {
   *       if (part.kind === 'text') show(part.text);
   *       else console.log(part.finishReason, part.usage.outputTokens);
   *     }
   */
  complete(request: CompleteRequest, signal?: AbortSignal): AsyncIterable<CompletionPart>;
  /**
   * Makes pictures and keeps them, with how they were made, in the person's gallery; resolves when their files are saved. Costs
   * money for each picture; no tokens are counted. Orders of all extensions go out one after the other, no faster than
   * `inferenceDesk.images.perMinute`, so this may wait for minutes. An order is on record before it is sent and is never sent twice:
   * where its answer was lost this rejects with `outcomeUnknown`, where its files do not come within three minutes with `notSavedYet`. When it is stopped or the access ends, an order that is on its way
   * may still be charged, and what came of it is saved for the person.
   */
  generateImage(request: ImageRequest, signal?: AbortSignal): Promise<GeneratedImages>;
  /**
   * Checks the text of a batch file (JSON Lines) as the editor does, on this machine: nothing is sent. Weights are those the person
   * set (`inferenceDesk.batch.severities`); what they turned off is left out. Models are looked up in the list, where it is known.
   *
   * @param text At most 20,000,000 characters.
   * @throws `invalidInput`, `failed`
   */
  checkBatchText(text: string, signal?: AbortSignal): Promise<BatchCheck>;
}

export interface DeskModel {
  /** As it is named in requests. */
  readonly id: string;
  /** What it can be used for, as far as the service tells; a model of which nothing is known is listed with all. */
  readonly jobs: readonly DeskModelJob[];
  /** The jobs for which it is taken where a request names no model. */
  readonly defaultFor: readonly DeskModelJob[];
  /** Tokens; absent where the service does not say. */
  readonly contextLength?: number;
  readonly maxOutputTokens?: number;
}

/** More may come: treat one you do not know as none of yours. */
export type DeskModelJob =
  | 'chat'
  | 'completion'
  | 'rerank'
  | 'image'
  | 'video'
  | 'voice'
  | 'embedding'
  | 'transcription';

export interface RerankRequest {
  /** 1 to 100,000 characters. */
  readonly query: string;
  /** 1 to 10,000 texts, none empty, of 20,000,000 characters together. */
  readonly documents: readonly string[];
  /** The person's default for reranking where absent. */
  readonly model?: string;
  /** Only so many of the best are told; all are paid for. */
  readonly topN?: number;
  /** What "fits" means here; only some models take it. */
  readonly instruction?: string;
}

export interface Reranking {
  readonly model: string;
  /** Best first, each document once at most. */
  readonly results: readonly RankedText[];
  /** The other documents, by their index: beyond `topN`, or without a usable score. */
  readonly unscored: readonly number[];
  readonly usage: TokenUsage;
}

export interface RankedText {
  /** Into the documents of the request, from 0. */
  readonly index: number;
  /** Mostly from 0 to 1, with some models any number. To be compared within one answer only. */
  readonly score: number;
}

export interface CompleteRequest {
  /** 1 to 2,000,000 characters; what the model takes is less. */
  readonly prompt: string;
  /** What follows the gap, where the middle is to be filled in; only some models take it. */
  readonly suffix?: string;
  /** The person's default for completions where absent. */
  readonly model?: string;
  /** Tokens, 1 or more. The service's own limit where absent. */
  readonly maxTokens?: number;
  /** 0 to 1. */
  readonly temperature?: number;
  /** 0 to 1. */
  readonly topP?: number;
  /** Texts at which the answer ends, 1 to 16; they are not part of it. */
  readonly stop?: readonly string[];
  readonly seed?: number;
}

export type CompletionPart =
  /** The next piece of the answer. */
  | { readonly kind: 'text'; readonly text: string }
  /** Comes once, last. */
  | {
      readonly kind: 'end';
      /** The whole answer. */
      readonly text: string;
      readonly model: string;
      /** In the service's words: `stop`, `length` (it was cut at `maxTokens`), and others. Absent where it says none. */
      readonly finishReason?: string;
      readonly usage: TokenUsage;
    };

export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The service did not count all of it: it is about so much. */
  readonly isEstimate?: true;
}

export interface ImageRequest {
  /** 1 to 20,000 characters. */
  readonly prompt: string;
  /** The person's default for images where absent. */
  readonly model?: string;
  /** What is not to be seen; only some models take it. */
  readonly negativePrompt?: string;
  /** `<width>x<height>` in pixels, such as `1024x768`; each model has sizes of its own, and its usual one where absent. */
  readonly size?: string;
  /** 0 to 9,999,999,999: the same one mostly gives the same picture. */
  readonly seed?: number;
  readonly format?: 'png' | 'jpeg';
  /** Pictures of one order, 1 to 4; each is paid for, and only some models take more than one. */
  readonly count?: number;
}

export interface GeneratedImages {
  /** Those that were saved, at least one. */
  readonly images: readonly GeneratedImage[];
  /** How many more the service made whose files could not be fetched; the person is told and can try again. */
  readonly missing: number;
  readonly model: string;
  readonly prompt: string;
  /** As the service told it, else as asked for. */
  readonly seed?: number;
  /** Seconds the service took, where it says. */
  readonly inferenceSeconds?: number;
  /** ISO 8601. */
  readonly createdAt: string;
}

export interface GeneratedImage {
  /** The person's file, in their gallery: copy it, do not move or change it. */
  readonly uri: Uri;
  /** By content, e.g. `image/png`. */
  readonly contentType: string;
  readonly bytes: number;
  /** Pixels. */
  readonly width?: number;
  readonly height?: number;
}

export interface BatchCheck {
  /** In the order of the text; at most 1,000, those that weigh most. */
  readonly problems: readonly BatchProblem[];
  /** Of all problems. */
  readonly counts: Readonly<Record<BatchSeverity, number>>;
  /** Lines that are not blank. */
  readonly requests: number;
  /** The models that are asked most, at most 50. */
  readonly models: readonly { readonly id: string; readonly requests: number }[];
}

export type BatchSeverity = 'error' | 'warning' | 'information' | 'hint';

export interface BatchProblem {
  /** From 0. Lines end with a line feed, a carriage return, or both. */
  readonly line: number;
  /** UTF-16 offsets in the line; the end is not part of it. */
  readonly start: number;
  readonly end: number;
  readonly severity: BatchSeverity;
  /** Dotted, such as `custom-id.duplicate`: stable. */
  readonly code: string;
  /** For a person, in the editor's language. */
  readonly message: string;
  /** From 0: where a `custom_id` was used first. */
  readonly firstLine?: number;
}

/**
 * An `Error` of the extension that made it, so tell it by `name` and `code`, never by `instanceof`. The message is a sentence for a
 * person, in the editor's language.
 */
export interface InferenceDeskError extends Error {
  readonly name: 'InferenceDeskError';
  readonly code: InferenceDeskErrorCode;
  /** The member of the request at fault, where one is known. */
  readonly parameter?: string;
  /** With `rateLimited` and `unavailable`, where the service says so. */
  readonly retryAfterMs?: number;
  /** No answer came, but the service may have done the work. */
  readonly maybeBilled?: true;
  /** Of a ranking that broke off: what was paid for. */
  readonly partial?: Reranking;
}

/** More may come: treat one you do not know as `failed`. */
export type InferenceDeskErrorCode =
  /** An argument has the wrong shape or is out of its bounds. Nothing was sent. */
  | 'invalidInput'
  /** `connect`: no extension of this id is there. */
  | 'unknownExtension'
  /** `connect`: the person said no. Do not ask again by yourself. */
  | 'denied'
  /** See `isEnded`. */
  | 'ended'
  /** Restricted Mode: what costs money or leaves the machine waits for the person's trust in the workspace. */
  | 'restrictedMode'
  /** Nobody is signed in, or the service does not accept the key. */
  | 'signedOut'
  /** The daily token budget is used up. */
  | 'budget'
  /** No model was named, and the account has none for this. */
  | 'noModel'
  | 'unknownModel'
  /** The service refused the request: see `parameter` and the message. */
  | 'refused'
  /** The service has nothing of this kind. */
  | 'notOffered'
  /** The account has no money left. */
  | 'balance'
  | 'rateLimited'
  /** The service is overloaded or failed. */
  | 'unavailable'
  /** The service could not be reached, or not in time. */
  | 'network'
  /** What came is not whole, or not what it should be. */
  | 'badAnswer'
  /** `generateImage`: the answer was lost. The person is told, and decides what becomes of it. */
  | 'outcomeUnknown'
  /** `generateImage`: made and paid for, but its files could not be saved within minutes. They are fetched on for the gallery. */
  | 'notSavedYet'
  | 'failed';
