import { closeBrace, closeBracket, colon, comma, openBrace, openBracket, quote } from './bytes';
import * as names from './names';
import { numberEnd, numberRead } from './numbers';
import { writeSigns } from './signs';
import { stopFrom, stringEnd } from './strings';

/** Where the part read last ends. */
let at: usize = 0;
/** Where the text of the string read last begins and ends. */
let textStart: usize = 0;
let textEnd: usize = 0;

/** Where the host finds the ID and the model of the last recognized line, without quotes: start and end of both. */
const found: usize = 0;

/** Values set once by the host: the number of roles after `user`, the number of numbers after them, and the maximum length of an ID. */
let lastRole: i32 = 0;
let lastNumber: i32 = 0;
let longestId: usize = 0;

export function prepare(otherRoles: i32, numbers: i32, longId: i32): void {
  lastRole = names.user + otherRoles;
  lastNumber = lastRole + numbers;
  longestId = longId;
  writeSigns();
}

/**
 * Recognizes a line without problems for rules about single lines: all required properties and no others, no escapes in names and IDs,
 * plain texts as contents, numbers within their bounds. Returns the position of the line feed that ends the line, or 0 if the line requires
 * the full check. The bytes must be UTF-8 followed by a line feed.
 */
export function read(start: usize): usize {
  at = start;
  if (!takes(openBrace)) return 0;
  let seen = 0;
  do {
    const bit = topMember();
    if (bit === 0 || (seen & bit) !== 0) return 0;
    seen |= bit;
  } while (takes(comma));
  return takes(closeBrace) && seen === 15 ? lineFeed() : 0;
}

function lineFeed(): usize {
  skipSpace();
  if (load<u8>(at) === 0x0d) at++;
  return load<u8>(at) === 0x0a ? at : 0;
}

/** Reads one property of the line. Returns 0 if it isn't one of the four or isn't valid. */
function topMember(): i32 {
  skipSpace();
  if (takesKey(names.customId)) return id() ? 1 : 0;
  if (takesKey(names.method)) return isText(names.post) ? 2 : 0;
  if (takesKey(names.url)) return isText(names.path) ? 4 : 0;
  if (takesKey(names.body)) return body() ? 8 : 0;
  return 0;
}

function id(): bool {
  if (!plainString()) return false;
  store<u32>(found, textStart);
  store<u32>(found, textEnd, 4);
  return textEnd - textStart <= longestId;
}

function model(): bool {
  if (!plainString()) return false;
  store<u32>(found, textStart, 8);
  store<u32>(found, textEnd, 12);
  return true;
}

function body(): bool {
  if (!takes(openBrace)) return false;
  let seen = 0;
  do {
    const bit = bodyMember();
    if (bit === 0 || (seen & bit) !== 0) return false;
    seen |= bit;
  } while (takes(comma));
  return takes(closeBrace) && (seen & 3) === 3;
}

function bodyMember(): i32 {
  skipSpace();
  if (takesKey(names.messages)) return messages() ? 1 : 0;
  if (takesKey(names.model)) return model() ? 2 : 0;
  for (let name = lastRole + 1; name <= lastNumber; name++) {
    if (takesKey(name)) return number(name) ? 4 << (name - lastRole - 1) : 0;
  }
  return 0;
}

function number(name: i32): bool {
  skipSpace();
  const end = numberEnd(at);
  at = end;
  return end !== 0 && names.isWithin(numberRead(), name);
}

function messages(): bool {
  if (!takes(openBracket)) return false;
  let speaker: i32;
  do {
    speaker = message();
    if (speaker === 0) return false;
  } while (takes(comma));
  return takes(closeBracket) && speaker === names.user;
}

/** Reads a message and returns its role, or 0 if it isn't valid. */
function message(): i32 {
  if (!takes(openBrace)) return 0;
  let speaker = 0;
  let hasContent = false;
  do {
    skipSpace();
    if (takesKey(names.role)) {
      if (speaker !== 0) return 0;
      speaker = role();
      if (speaker === 0) return 0;
    } else if (takesKey(names.content)) {
      if (hasContent || !text()) return 0;
      hasContent = true;
    } else return 0;
  } while (takes(comma));
  return takes(closeBrace) && hasContent ? speaker : 0;
}

function role(): i32 {
  skipSpace();
  for (let name = names.user; name <= lastRole; name++) if (takesName(name)) return name;
  return 0;
}

function skipSpace(): void {
  while (load<u8>(at) === 0x20 || load<u8>(at) === 0x09) at++;
}

function takes(byte: u8): bool {
  skipSpace();
  if (load<u8>(at) !== byte) return false;
  at++;
  return true;
}

/** Without spaces before it: several names are tried at one place. */
function takesName(name: i32): bool {
  const end = names.nameEnd(at, name);
  if (end === 0) return false;
  at = end;
  return true;
}

function takesKey(name: i32): bool {
  const before = at;
  if (takesName(name) && takes(colon)) return true;
  at = before;
  return false;
}

/** A text that is written exactly so. */
function isText(name: i32): bool {
  skipSpace();
  return takesName(name);
}

/** A string without escapes that is not empty. */
function plainString(): bool {
  if (!takes(quote)) return false;
  textStart = at;
  textEnd = stopFrom(at);
  at = textEnd + 1;
  return load<u8>(textEnd) === quote && textEnd > textStart;
}

/** Any string that is not empty. */
function text(): bool {
  if (!takes(quote) || load<u8>(at) === quote) return false;
  at = stringEnd(at);
  return at !== 0;
}
