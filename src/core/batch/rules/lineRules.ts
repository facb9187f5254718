import type { LineRule } from '../line';
import { body } from './body';
import { envelope } from './envelope';
import { messages } from './messages';

/** The rules for one line that is an object. JSON syntax, duplicate keys and surrogates are checked before. */
export const lineRules: readonly LineRule[] = [envelope, body, messages];
