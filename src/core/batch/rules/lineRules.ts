import type { LineRule } from '../line';
import { body } from './body';
import { envelope } from './envelope';
import { messages } from './messages';

/** What looks at one line that is an object. Texts, repeated names and JSON itself are looked at before. */
export const lineRules: readonly LineRule[] = [envelope, body, messages];
