// Sets zod up before the schemas below are created.
import './call';
import * as z from 'zod/mini';
import { conversationIdPattern } from '../schema/conversationId';

// The limits guard against a misbehaving page. Whether a model reads that much is checked elsewhere, with a localized message.

/** The ID of a turn, an attempt, an attachment, or a preset. */
export const id = z.string().check(z.minLength(1), z.maxLength(64));
export const conversationId = z.string().check(z.regex(conversationIdPattern));
export const model = z.string().check(z.maxLength(500));
export const question = z.string().check(z.maxLength(20_000_000));
/** A text of a form or a result of a tool. */
export const longText = z.string().check(z.maxLength(2_000_000));
/** The attachments of a question, by the ids of their chips. */
export const attachments = z.exactOptional(z.array(id).check(z.maxLength(100)));
