import * as vscode from 'vscode';

/** A part of a model's thinking. Not in the stable typings; editors since 1.106 have it and pass it on. */
export interface ThinkingPart {
  readonly value: string | readonly string[];
  readonly id?: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

type ThinkingPartClass = new (
  value: string,
  id?: string,
  metadata?: Readonly<Record<string, unknown>>,
) => ThinkingPart & vscode.LanguageModelTextPart;

/** `undefined` if the editor has no such part. */
export function thinkingPartClass(): ThinkingPartClass | undefined {
  const found = (vscode as { readonly LanguageModelThinkingPart?: unknown }).LanguageModelThinkingPart;
  return typeof found === 'function' ? (found as ThinkingPartClass) : undefined;
}

export function isThinkingPart(part: unknown): part is ThinkingPart {
  const known = thinkingPartClass();
  return known !== undefined && part instanceof known;
}

/** Metadata stored with complete thinking, to be sent back. The editor's own providers use the first two names as well. */
export interface WholeThinking {
  readonly signature: string;
  readonly _completeThinking: string;
  /** The model that signed it; any other refuses it. */
  readonly inferenceDeskModel: string;
}

/** Returns the thinking if `model` signed it, otherwise `undefined`. */
export function readWholeThinking({ metadata }: ThinkingPart, model: string): WholeThinking | undefined {
  const { signature, _completeThinking: text, inferenceDeskModel } = metadata ?? {};
  if (typeof signature !== 'string' || typeof text !== 'string' || inferenceDeskModel !== model) return undefined;
  return { signature, _completeThinking: text, inferenceDeskModel: model };
}
