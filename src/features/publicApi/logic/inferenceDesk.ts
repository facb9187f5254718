import type { Event, Uri } from 'vscode';

/**
 * The API of Inference Desk for other extensions. This file contains only types: copy it into your project, from
 * `dist/inferenceDesk.d.ts` of the installed extension. The object itself is what the extension exports:
 *
 *     const extension = vscode.extensions.getExtension<InferenceDeskApi>('inference-desk.inference-desk');
 *     const api = await extension?.activate();
 *     const desk = await api?.connect(context.extension.id);
 *
 * Every error is thrown as an `InferenceDeskError`, except when an `AbortSignal` stops a call: that rejects with the signal's reason, as
 * `fetch` does. No member reveals a key or the address of a service.
 *
 * Semantic search is a command and needs no `connect`. It shows and asks nothing, and uses the active account:
 *
 *     const passages = await vscode.commands.executeCommand('inferenceDesk.findByMeaning.run', {
 *       query: 'where an upload is retried',
 *       include: 'src, *.md', // optional: files and folders, as in the Search view. `exclude` likewise
 *       limit: 20, // optional: 1 to 100
 *       signal: controller.signal, // optional
 *     });
 *
 * It resolves with `{ uri: Uri, range: Range, score: number, text: string }[]`, best first. Scores compare only within one result. It
 * rejects with a localized `Error` if, for example, no user is signed in, no folder is open, or the workspace isn't trusted.
 */
export interface InferenceDeskApi {
  /** Version of this contract. Members may be added; if one is removed or changes its meaning, this number increases. */
  readonly version: 1;
  /**
   * Asks the user once whether this extension may use their account, and resolves when they agree. Call it when the user does something
   * that needs it, not during activation. The answer is saved by extension id: "Allow Always" and "Deny" until the user changes it
   * ("Inference Desk: Manage Extension Access"), "Allow in This Window" until the window reloads. Nobody has to be signed in yet. Another
   * call returns the same object until its access has ended.
   *
   * This is a courtesy to the user, not a security boundary: the editor does not report who calls, so the id is unverified.
   *
   * @param extensionId Your own, `context.extension.id`.
   * @param signal Stops waiting; an open question stays open, and its answer is saved.
   * @throws `unknownExtension`, `denied`, `invalidInput`
   */
  connect(extensionId: string, signal?: AbortSignal): Promise<InferenceDesk>;
}

/**
 * One extension's access to the active account: whichever is active when a call begins. Text calls count towards the same
 * daily ledger as the user's own, and are refused once the daily token budget (`inferenceDesk.chat.dailyTokenBudget`) is used up. All
 * calls share the service's rate limits with the user's own: calls above them wait and are sent later; use the signal to stop them. In
 * Restricted Mode only `models` and `checkBatchText` work. Arguments are copied: later changes to them have no effect.
 */
export interface InferenceDesk {
  /** In VS Code's spelling. */
  readonly extensionId: string;
  /** Whether access has ended (revoked, extension removed, or Inference Desk stopping): every call then rejects with `ended`. */
  readonly isEnded: boolean;
  /** Fires once. Pending calls are stopped. */
  readonly onDidEnd: Event<void>;
  /** Fires when `models` would return something else: other models, another default, or another active account. */
  readonly onDidChangeModels: Event<void>;
  /**
   * Returns the account's models, in the service's order. Cached for up to ten minutes. Free of charge.
   *
   * @throws `signedOut`, and whatever a call to the service can fail with
   */
  models(signal?: AbortSignal): Promise<readonly DeskModel[]>;
  /**
   * Ranks texts by how well they fit a query. Costs money. Many documents are sent in several requests; if one fails, this rejects, and the
   * results that were charged are in `partial` of the error.
   */
  rerank(request: RerankRequest, signal?: AbortSignal): Promise<Reranking>;
  /**
   * Continues a text: not a chat, the model continues where the prompt ends (for chat, see `vscode.lm`). Costs money. Nothing is sent
   * before the first iteration of the loop. Leaving the loop, or the signal, ends the request; what was received is charged.
   *
   *     for await (const part of desk.complete({ prompt: 'def add(a, b):\n' })) {
   *       if (part.kind === 'text') show(part.text);
   *       else console.log(part.finishReason, part.usage.outputTokens);
   *     }
   */
  complete(request: CompleteRequest, signal?: AbortSignal): AsyncIterable<CompletionPart>;
  /**
   * Generates images and saves them, with their recipes, in the user's gallery; resolves once the files are saved. Costs money for each
   * image; no tokens are counted. The jobs of all extensions run one after the other, no faster than `inferenceDesk.images.perMinute`, so
   * this may wait for minutes. A job is recorded before it is sent and is never sent twice: if its response is lost, this rejects with
   * `outcomeUnknown`; if its files do not arrive within three minutes, with `notSavedYet`. When the call is stopped or the access ends, a
   * job that was already sent may still be charged, and its result is saved for the user.
   */
  generateImage(request: ImageRequest, signal?: AbortSignal): Promise<GeneratedImages>;
  /**
   * Checks the text of a batch file (JSON Lines) as the editor does, on this machine: nothing is sent. Severities are those the user set
   * (`inferenceDesk.batch.severities`); checks they turned off are left out. Models are looked up in the list, if it is known.
   *
   * @param text At most 20,000,000 characters.
   * @throws `invalidInput`, `failed`
   */
  checkBatchText(text: string, signal?: AbortSignal): Promise<BatchCheck>;
}

export interface DeskModel {
  /** The id to use in requests. */
  readonly id: string;
  /** Its possible purposes, according to the service or its name. An unclassified model might chat and complete. */
  readonly jobs: readonly DeskModelJob[];
  /** The jobs for which it is used if a request names no model. */
  readonly defaultFor: readonly DeskModelJob[];
  /** In tokens; absent if the service does not report it. */
  readonly contextLength?: number;
  readonly maxOutputTokens?: number;
}

/** More can be added, so ignore unknown ones. */
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
  /** Default: the user's default for reranking. */
  readonly model?: string;
  /** Return only this many of the best; all documents are charged. */
  readonly topN?: number;
  /** What "fits" means here; only some models accept it. */
  readonly instruction?: string;
}

export interface Reranking {
  readonly model: string;
  /** Best first, each document at most once. */
  readonly results: readonly RankedText[];
  /** Indices of the other documents: beyond `topN`, or without a usable score. */
  readonly unscored: readonly number[];
  readonly usage: TokenUsage;
}

export interface RankedText {
  /** Index in the request's documents, from 0. */
  readonly index: number;
  /** Usually from 0 to 1, with some models any number. Only comparable within one response. */
  readonly score: number;
}

export interface CompleteRequest {
  /** 1 to 2,000,000 characters; models accept less. */
  readonly prompt: string;
  /** The text after the gap, to fill in the middle; only some models accept it. */
  readonly suffix?: string;
  /** Default: the user's default for completions. */
  readonly model?: string;
  /** Tokens, 1 or more. Default: the service's own limit. */
  readonly maxTokens?: number;
  /** 0 to 1. */
  readonly temperature?: number;
  /** 0 to 1. */
  readonly topP?: number;
  /** Up to 16 stop sequences that end the answer; they are not part of it. */
  readonly stop?: readonly string[];
  readonly seed?: number;
}

export type CompletionPart =
  /** The next part of the answer. */
  | { readonly kind: 'text'; readonly text: string }
  /** Comes once, at the end. */
  | {
      readonly kind: 'end';
      /** The whole answer. */
      readonly text: string;
      readonly model: string;
      /** The service's value: `stop`, `length` (cut off at `maxTokens`), and others. Absent if it sends none. */
      readonly finishReason?: string;
      readonly usage: TokenUsage;
    };

export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The service did not count all of it, so this is an estimate. */
  readonly isEstimate?: true;
}

export interface ImageRequest {
  /** 1 to 20,000 characters. */
  readonly prompt: string;
  /** Default: the user's default for images. */
  readonly model?: string;
  /** What the image should not show. Only some models support it. */
  readonly negativePrompt?: string;
  /** `<width>x<height>` in pixels, such as `1024x768`; the sizes, and the default size, depend on the model. */
  readonly size?: string;
  /** 0 to 9,999,999,999: the same seed usually gives the same image. */
  readonly seed?: number;
  readonly format?: 'png' | 'jpeg';
  /** Number of images, 1 to 4; each is charged, and only some models accept more than one. */
  readonly count?: number;
}

export interface GeneratedImages {
  /** The saved images, at least one. */
  readonly images: readonly GeneratedImage[];
  /** Number of generated images whose files could not be downloaded; the user is notified and can retry. */
  readonly missing: number;
  readonly model: string;
  readonly prompt: string;
  /** As reported by the service, otherwise as requested. */
  readonly seed?: number;
  /** Seconds the service took, if reported. */
  readonly inferenceSeconds?: number;
  /** ISO 8601. */
  readonly createdAt: string;
}

export interface GeneratedImage {
  /** The user's file in their gallery: copy it, do not move or change it. */
  readonly uri: Uri;
  /** Detected from the content, such as `image/png`. */
  readonly contentType: string;
  readonly bytes: number;
  /** In pixels. */
  readonly width?: number;
  readonly height?: number;
}

export interface BatchCheck {
  /** In text order, limited to the 1,000 most severe ones. */
  readonly problems: readonly BatchProblem[];
  /** Counts of all problems. */
  readonly counts: Readonly<Record<BatchSeverity, number>>;
  /** Lines that are not blank. */
  readonly requests: number;
  /** The most frequent models, at most 50. */
  readonly models: readonly { readonly id: string; readonly requests: number }[];
}

export type BatchSeverity = 'error' | 'warning' | 'information' | 'hint';

export interface BatchProblem {
  /** Line index, from 0. Lines end with a line feed, a carriage return, or both. */
  readonly line: number;
  /** UTF-16 offsets in the line; the end is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly severity: BatchSeverity;
  /** Stable and dotted, such as `custom-id.duplicate`. */
  readonly code: string;
  /** Message for a user, in the editor's language. */
  readonly message: string;
  /** Line index, from 0, of the first use of a duplicate `custom_id`. */
  readonly firstLine?: number;
}

/**
 * An `Error` of the extension that created it, so identify it by `name` and `code`, never by `instanceof`. The message is a sentence for a
 * person, in the editor's language.
 */
export interface InferenceDeskError extends Error {
  readonly name: 'InferenceDeskError';
  readonly code: InferenceDeskErrorCode;
  /** The invalid member of the request, if known. */
  readonly parameter?: string;
  /** With `rateLimited` and `unavailable`, if the service reports it. */
  readonly retryAfterMs?: number;
  /** There was no response, but the service may have done the work. */
  readonly maybeBilled?: true;
  /** The results of a failed ranking that were charged. */
  readonly partial?: Reranking;
}

/** More can be added, so treat unknown ones as `failed`. */
export type InferenceDeskErrorCode =
  /** An argument has the wrong shape or is out of range. Nothing was sent. */
  | 'invalidInput'
  /** `connect`: there is no extension with this id. */
  | 'unknownExtension'
  /** `connect`: the user declined. Do not ask again automatically. */
  | 'denied'
  /** See `isEnded`. */
  | 'ended'
  /** Restricted Mode: what costs money or leaves the machine requires the user's trust in the workspace. */
  | 'restrictedMode'
  /** Nobody is signed in, or the service does not accept the key. */
  | 'signedOut'
  /** The daily token budget is used up. */
  | 'budget'
  /** The request named no model, and the account has none for this. */
  | 'noModel'
  | 'unknownModel'
  /** The service refused the request: see `parameter` and the message. */
  | 'refused'
  /** The service does not offer this. */
  | 'notOffered'
  /** The account's balance is used up. */
  | 'balance'
  | 'rateLimited'
  /** The service is overloaded or failed. */
  | 'unavailable'
  /** The service could not be reached, or not in time. */
  | 'network'
  /** The response is incomplete or invalid. */
  | 'badAnswer'
  /** `generateImage`: the response was lost. The user is notified and decides what to do. */
  | 'outcomeUnknown'
  /** `generateImage`: generated and charged, but the files could not be saved within minutes. Downloading continues, for the gallery. */
  | 'notSavedYet'
  | 'failed';
