import '../../core/api/jitless';
import * as z from 'zod/mini';
import { isConversationId } from '../../core/conversation/conversationFolder';
import type { ParamSchemas } from '../../platform/webview/webviewEnvelope';
import type { ChatScreen } from '../../protocol/chat';
import { offerParams } from './attachments/offerParams';
import { compareParams } from './compare/compareParams';
import { isOutsideLink } from '../../platform/outsideLink';
import { parameterParams } from './parameterHandlers';
import { locationParams } from './locations/locationHandlers';
import { toolParams } from './tools/toolParams';

const nothing = z.strictObject({});
const id = z.string().check(z.minLength(1), z.maxLength(64));
const conversationId = z.string().check(z.refine(isConversationId));
const model = z.string().check(z.maxLength(500));
/** More than any model reads; a guard against a misbehaving page. */
const text = z.string().check(z.maxLength(20_000_000));

/** Schemas for the parameters of the chat page's calls. */
export const chatParams: ParamSchemas<ChatScreen> = {
  'chat/ready': nothing,
  'chat/ask': z.strictObject({ text, model, attachments: z.exactOptional(z.array(id).check(z.maxLength(100))) }),
  'chat/follow': z.strictObject({
    turnId: id,
    tryId: z.exactOptional(id),
    have: z.array(z.int().check(z.nonnegative())).check(z.maxLength(10_000)),
  }),
  'chat/stop': z.strictObject({ turnId: id }),
  'chat/retry': z.strictObject({ turnId: id, model }),
  'chat/draft': z.strictObject({ text, conversationId: z.exactOptional(conversationId) }),
  'chat/chooseModel': z.strictObject({ model }),
  'chat/copy': z.strictObject({ text }),
  'chat/openLink': z.strictObject({ url: z.string().check(z.maxLength(10_000), z.refine(isOutsideLink)) }),
  'chat/act': z.strictObject({ action: z.string().check(z.maxLength(600)), turnId: z.exactOptional(id) }),
  'chat/compactedText': nothing,
  'chat/startFrom': z.strictObject({ turnId: z.nullable(id) }),
  'chat/useCode': z.strictObject({
    turnId: id,
    action: z.enum(['insert', 'replace', 'newFile', 'run']),
    code: z.string().check(z.maxLength(1_000_000)),
    language: z.string().check(z.maxLength(100)),
  }),
  'chat/edit': z.strictObject({ turnId: id, text, model }),
  'chat/walk': z.strictObject({
    turnId: id,
    among: z.enum(['questions', 'tries']),
    index: z.int().check(z.nonnegative()),
  }),
  'chat/conversations': z.strictObject({ query: z.string().check(z.maxLength(1000)) }),
  'chat/openConversation': z.strictObject({ id: conversationId }),
  'chat/renameConversation': z.strictObject({ id: conversationId, title: z.string().check(z.maxLength(500)) }),
  'chat/pinConversation': z.strictObject({ id: conversationId, pinned: z.boolean() }),
  'chat/deleteConversation': z.strictObject({ id: conversationId }),
  'chat/restoreConversation': z.strictObject({ id: conversationId }),
  'chat/spent': nothing,
  'chat/attachments': nothing,
  'chat/attach': nothing,
  'chat/detach': z.strictObject({ id }),
  'chat/showAttachment': z.strictObject({ id }),
  'chat/showSentAttachment': z.strictObject({ turnId: id, index: z.int().check(z.nonnegative()) }),
  'chat/continue': z.strictObject({ turnId: id }),
  ...parameterParams,
  ...offerParams,
  ...toolParams,
  ...compareParams,
  ...locationParams,
};
