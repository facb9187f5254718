import * as l10n from '@vscode/l10n';
import { batchMethod } from '../limits';
import { kindOf, type EndpointKind } from '../rules/endpoint';
import type { BatchRules } from '../services/batchRules';

interface SnippetName {
  /** The text that finds it. */
  readonly prefix: string;
  readonly about: string;
}

/** A ready-made request, as a snippet. */
export interface RequestSnippet extends SnippetName {
  readonly snippet: string;
}

/** Returns requests to begin lines with, in the form of a service, for the endpoints that its batches can be for. */
export function requestSnippets(rules: BatchRules): readonly RequestSnippet[] {
  const kinds = new Set(rules.endpoints.map((url) => kindOf(url)));
  const chat = rules.line === 'params' ? messageBodies() : chatBodies(rules);
  const own: EndpointKind = rules.line === 'params' ? 'messages' : 'chat';
  const others = otherBodies().filter(({ kind }) => kinds.has(kind));
  return [...chat.map((one) => ({ ...one, kind: own })), ...others].map(({ kind, prefix, about, body }) => ({
    prefix,
    about,
    snippet: lineOf(rules, kind, body),
  }));
}

/** Writes a body in a line. The places of the body count from 2 on. */
function lineOf(rules: BatchRules, kind: EndpointKind, body: string): string {
  const id = '"custom_id":"${1:request-1}"';
  if (rules.line === 'params') return `{${id},"params":${body}}`;
  // Batches of OpenRouter are for chats unless a line names another endpoint.
  const isBare = rules.line === 'body' || (rules.form === 'openrouter' && kind === 'chat');
  if (isBare) return `{${id},"body":${body}}`;
  const url = rules.endpoints.find((one) => kindOf(one) === kind) ?? '';
  return `{${id},"method":"${batchMethod}","url":"${url}","body":${body}}`;
}

interface Body extends SnippetName {
  readonly body: string;
}

const start = '"model":"${2:model}"';
const functionSchema = '{"type":"object","properties":{"${6:city}":{"type":"string"}},"required":["${6:city}"]}';

function chatBodies({ completionTokensOnly }: BatchRules): readonly Body[] {
  const limit = completionTokensOnly === undefined ? 'max_tokens' : 'max_completion_tokens';
  return [
    {
      prefix: 'batch-request',
      about: l10n.t('Batch request with one question'),
      body: `{${start},"messages":[{"role":"user","content":"\${3:question}"}],"${limit}":\${4:1024}}`,
    },
    {
      prefix: 'batch-request-image',
      about: l10n.t('Batch request with a question about an image'),
      body: `{${start},"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"\${3:https://example.com/image.png}"}},{"type":"text","text":"\${4:What is in this image?}"}]}],"${limit}":\${5:1024}}`,
    },
    {
      prefix: 'batch-request-tools',
      about: l10n.t('Batch request with a tool definition'),
      body: `{${start},"messages":[{"role":"user","content":"\${3:What is the weather in Rome?}"}],"tools":[{"type":"function","function":{"name":"\${4:weather}","description":"\${5:Returns the weather of a city}","parameters":${functionSchema}}}]}`,
    },
    {
      prefix: 'batch-request-json',
      about: l10n.t('Batch request with a response in JSON'),
      body: `{${start},"messages":[{"role":"system","content":"\${3:Answer in JSON with the properties name and year.}"},{"role":"user","content":"\${4:question}"}],"response_format":{"type":"json_object"}}`,
    },
  ];
}

/** Anthropic's messages, which have no JSON mode. */
function messageBodies(): readonly Body[] {
  return [
    {
      prefix: 'batch-request',
      about: l10n.t('Batch request with one question'),
      body: `{${start},"max_tokens":\${3:1024},"messages":[{"role":"user","content":"\${4:question}"}]}`,
    },
    {
      prefix: 'batch-request-image',
      about: l10n.t('Batch request with a question about an image'),
      body: `{${start},"max_tokens":\${3:1024},"messages":[{"role":"user","content":[{"type":"image","source":{"type":"url","url":"\${4:https://example.com/image.png}"}},{"type":"text","text":"\${5:What is in this image?}"}]}]}`,
    },
    {
      prefix: 'batch-request-tools',
      about: l10n.t('Batch request with a tool definition'),
      body: `{${start},"max_tokens":\${3:1024},"messages":[{"role":"user","content":"\${7:What is the weather in Rome?}"}],"tools":[{"name":"\${4:weather}","description":"\${5:Returns the weather of a city}","input_schema":${functionSchema}}]}`,
    },
  ];
}

function otherBodies(): readonly (Body & { readonly kind: EndpointKind })[] {
  return [
    {
      kind: 'responses',
      prefix: 'batch-request-responses',
      about: l10n.t('Batch request to the Responses API'),
      body: `{${start},"input":"\${3:question}","max_output_tokens":\${4:1024}}`,
    },
    {
      kind: 'embeddings',
      prefix: 'batch-request-embeddings',
      about: l10n.t('Batch request for an embedding'),
      body: `{${start},"input":"\${3:text}"}`,
    },
  ];
}
