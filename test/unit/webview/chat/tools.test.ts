import assert from 'node:assert/strict';
import { matchingGroups, offeredOf, prettyJson, withOffered } from '../../../../webview/screens/chat/tools/toolRows';
import { manyTools } from '../../../support/toolStates';
import { toolRow } from '../../../support/toolsHost';

const names = (query: string) =>
  matchingGroups(manyTools.groups, query).map(({ id, tools }) => [id, ...tools.map(({ name }) => name)]);

describe('the list of tools', () => {
  it('finds tools by every word of a name, a description, or their source', () => {
    assert.deepEqual(names('SEARCH files'), [['github.copilot-chat', 'search_files']]);
    assert.deepEqual(names('temperature weather'), [['own', 'get_weather']]);
    assert.deepEqual(names('copilot errors'), [['github.copilot-chat', 'list_errors']]);
    assert.deepEqual(names('nothing has these'), []);
    assert.equal(names('').length, manyTools.groups.length);
  });

  it('shows how much of a source is selected', () => {
    assert.equal(offeredOf([toolRow('a'), toolRow('b')]), 'none');
    assert.equal(offeredOf([toolRow('a', { offered: true }), toolRow('b')]), 'some');
    assert.equal(offeredOf([toolRow('a', { offered: true })]), 'all');
  });

  it('counts selected tools without missing ones', () => {
    const more = withOffered(manyTools, new Set(['read_file', 'mcp_time']), true);
    assert.equal(more.offered, 5);
    assert.equal(withOffered(more, new Set(['old_tool', 'read_file']), false).offered, 4);
  });

  it('shows JSON in lines, invisible characters escaped, and the rest unchanged', () => {
    assert.equal(prettyJson('{"a":[1,"x\u202Ey\u200B"]}'), '{\n  "a": [\n    1,\n    "x\\u202ey\\u200b"\n  ]\n}');
    assert.deepEqual(JSON.parse(prettyJson('{"a":"\u2028"}')), { a: '\u2028' });
    assert.equal(prettyJson('{"a":'), '{"a":');
  });
});
