import { batchMethod } from '../../limits';
import { endpointFor, nearKey } from '../../rules/lineRules';
import { chatBodyAt } from '../../shape';
import { member, type JsonNode } from '../../scan/jsonTree';
import { fixAllWords, fixWords } from '../../words/fixWords';
import type { TextEdit } from '../lineChange';
import { insertEdit, memberAt, removeEdit, replaceEdit } from '../jsonEdits';
import { publicService, type FileNames, type FixStrategy, type Target } from '../strategy';

const method = JSON.stringify(batchMethod);

/** Returns the endpoint to write in a line, in the form of the service that the file is for. */
function urlFor(root: JsonNode, { service = publicService }: FileNames): string {
  return JSON.stringify(endpointFor(root, service.rules) ?? service.rules.endpoints[0]);
}

/** Adds both together if both are missing, after the id. A member that only has another name is renamed. */
export const addMethodAndUrl: FixStrategy = {
  allTitle: fixAllWords.methodAndUrl,
  isSafe: true,
  *fixes({ text, root, problem, file }) {
    if (!root) return;
    const id = member(root, 'custom_id');
    const has = { method: member(root, 'method'), url: member(root, 'url') };
    const name = problem.code === 'method.missing' ? 'method' : 'url';
    if (has[name]) return;
    const near = nearKey(root, name);
    const written = near === undefined ? undefined : member(root, near);
    if (written) {
      yield { title: fixWords.renameMember(written.key, name), edits: [replaceEdit(written.keySpan, `"${name}"`)] };
      return;
    }
    const url = urlFor(root, file);
    if (!has.method && !has.url) {
      const [first] = root.members;
      const one = insertEdit(text, root, { key: 'method', value: method, after: id });
      const two = insertEdit(text, root, { key: 'url', value: url, after: id });
      const both = first ? `${one.text}${two.text}` : `${one.text},${two.text}`;
      yield { title: fixWords.addMethodAndUrl(), edits: [{ ...one, text: both }] };
    } else if (!has.method) {
      yield {
        title: fixWords.addMember('method', method),
        edits: [insertEdit(text, root, { key: 'method', value: method, after: id })],
      };
    } else {
      yield {
        title: fixWords.addMember('url', url),
        edits: [insertEdit(text, root, { key: 'url', value: url, after: has.method })],
      };
    }
  },
};

/** Only if the body is for an endpoint of the service, because the right URL doesn't fix a body for another endpoint. */
export const setMethodAndUrl: FixStrategy = {
  allTitle: fixAllWords.setMethodAndUrl,
  *fixes({ root, problem: { code, span }, file: { service = publicService } }) {
    const url = root && endpointFor(root, service.rules);
    if (url === undefined) return;
    const isMethod = code === 'method.not-post';
    const value = isMethod ? method : JSON.stringify(url);
    yield { title: fixWords.setMember(isMethod ? 'method' : 'url', value), edits: [replaceEdit(span, value)] };
  },
};

/** Only if the body is for the endpoint of the other lines. */
export const firstUrl: FixStrategy = {
  allTitle: fixAllWords.firstUrl,
  *fixes({ root, problem: { span, suggestions = [] }, file: { service = publicService } }) {
    const [url] = suggestions;
    if (!root || url === undefined || !member(root, 'url')) return;
    if (endpointFor(root, { ...service.rules, endpoints: [url] }) !== url) return;
    const value = JSON.stringify(url);
    yield { title: fixWords.setMember('url', value), edits: [replaceEdit(span, value)] };
  },
};

export const moveIntoBody: FixStrategy = {
  allTitle: fixAllWords.moveIntoBody,
  reveals: true,
  *fixes({ text, root, problem, file: { service = publicService } }) {
    const { members = {} } = chatBodyAt(service.rules);
    const found = root && memberAt(root, problem.span);
    const body = member(root, 'body')?.value;
    if (!found || body?.kind !== 'object') return;
    const { key, value } = found.member;
    if (!Object.hasOwn(members, key) || member(body, key) || member(found.object, key) !== found.member) return;
    const put = insertEdit(text, body, { key, value: text.slice(value.start, value.end), after: body.members.at(-1) });
    yield { title: fixWords.moveIntoBody(key), edits: [removeEdit(found), put] };
  },
};

export const removeUnknown: FixStrategy = { allTitle: fixAllWords.removeUnknown, isChoice: true, fixes: removeNamed };

/** A parameter that is rejected, if no other one has its place. */
export const removeRejected: FixStrategy = {
  isChoice: true,
  *fixes(target) {
    if ((target.problem.suggestions ?? []).length === 0) yield* removeNamed(target);
  },
};

export const removeStream: FixStrategy = { allTitle: fixAllWords.removeStream, isSafe: true, fixes: removeNamed };

function* removeNamed({ root, problem }: Target) {
  const found = root && memberAt(root, problem.span);
  if (found) yield { title: fixWords.removeMember(found.member.key), edits: [removeEdit(found)] };
}

/** The most of one name that are removed at once; the rest follows in the next round. */
const mostRemoved = 100;

/** JSON parsers use the last of several members of one name, so the ones before it are removed. */
export const removeDuplicate: FixStrategy = {
  allTitle: fixAllWords.removeDuplicates,
  isSafe: true,
  *fixes({ root, problem }) {
    const found = root && memberAt(root, problem.span);
    if (!found) return;
    const { object, member: one } = found;
    const last = member(object, one.key);
    const edits: TextEdit[] = [];
    for (const other of object.members) {
      if (edits.length === mostRemoved) break;
      if (other.key === one.key && other !== last) edits.push(removeEdit({ object, member: other }));
    }
    if (edits.length > 0) yield { title: fixWords.removeDuplicate(one.key), edits };
  },
};
