import assert from 'node:assert/strict';
import { createModelTree } from '../../../../src/features/models/logic/modelTree';
import type { ModelTreeNode } from '../../../../src/features/models/logic/modelTree';
import type { CatalogueState } from '../../../../src/services/models/modelCatalogue';

const state: CatalogueState = {
  session: 'signedIn',
  profileId: 'p',
  models: [
    { id: 'Qwen/Big', types: ['text'], subTypes: ['chat'] },
    { id: 'Pro/Qwen/Big', types: ['text'], subTypes: ['chat'] },
    { id: 'Zai/Small', types: ['text'], subTypes: ['chat'] },
    { id: 'Kolors/Painter', types: ['image'], subTypes: ['text-to-image', 'image-to-image'] },
    { id: 'stray', types: [], subTypes: [] },
  ],
  fetchedAt: 1,
  loading: false,
  error: undefined,
  pins: ['Zai/Small', 'gone/Pinned'],
  defaults: { chat: 'Qwen/Big', completion: 'Qwen/Big' },
  changes: { appeared: new Set(['Pro/Qwen/Big']), vanished: ['gone/Pinned', 'gone/Other'] },
};

/** The tree as indented text: what a person sees. */
function drawn(nodes: readonly ModelTreeNode[], depth = 0): readonly string[] {
  return nodes.flatMap((node) => {
    const pad = '  '.repeat(depth);
    if (node.kind === 'model') return [`${pad}${node.modelId}${node.isNew ? ' new' : ''}${node.model ? '' : ' gone'}`];
    const label = node.kind === 'group' ? `${node.key} ${node.count}` : `[${node.vendor ?? 'none'}]`;
    return [`${pad}${label}${node.expanded ? ' open' : ''}`, ...drawn(node.children, depth + 1)];
  });
}

describe('the rows of the Models view', () => {
  it("are pins, removed models, and then sub-type, vendor, and model in the service's order", () => {
    assert.deepEqual(drawn(createModelTree(state, '').roots), [
      'pinned 2 open',
      '  Zai/Small',
      '  gone/Pinned gone',
      'vanished 2 open',
      '  gone/Pinned gone',
      '  gone/Other gone',
      'chat 3',
      '  [Qwen]',
      '    Qwen/Big',
      '    Pro/Qwen/Big new',
      '  [Zai]',
      '    Zai/Small',
      'text-to-image 1',
      '  [Kolors]',
      '    Kolors/Painter',
      'image-to-image 1',
      '  [Kolors]',
      '    Kolors/Painter',
      'other 1',
      '  [none]',
      '    stray',
    ]);
  });

  it('are expanded and exclusive when a filter is set', () => {
    assert.deepEqual(drawn(createModelTree(state, 'qwen pro').roots), [
      'chat 1 open',
      '  [Qwen] open',
      '    Pro/Qwen/Big new',
    ]);
    assert.deepEqual(createModelTree(state, 'no such thing').roots, []);
  });

  it('have unique IDs that are stable across a refresh and differ when filtered', () => {
    const idsOf = (filter: string) => {
      const ids: string[] = [];
      const walk = (node: ModelTreeNode) => {
        ids.push(node.id);
        if (node.kind !== 'model') node.children.forEach(walk);
      };
      createModelTree(state, filter).roots.forEach(walk);
      return ids;
    };
    const ids = idsOf('');
    assert.equal(new Set(ids).size, ids.length);
    assert.deepEqual(idsOf(''), ids);
    assert.ok(idsOf('qwen').every((id) => !ids.includes(id)));
  });

  it('have parents, so a model found by search can be revealed', () => {
    const tree = createModelTree(state, '');
    const found = tree.find('Zai/Small');
    assert.ok(found?.belowVendor);
    const vendor = found && tree.parentOf(found);
    const group = vendor && tree.parentOf(vendor);
    assert.equal(vendor?.kind === 'vendor' && vendor.vendor, 'Zai');
    assert.equal(group?.kind === 'group' && group.key, 'chat');
    assert.equal(group && tree.parentOf(group), undefined);
    assert.equal(tree.find('nobody'), undefined);
  });

  it('show the default purposes and the pin of a model at each location', () => {
    const tree = createModelTree(state, '');
    assert.deepEqual(tree.find('Qwen/Big')?.defaultFor, ['chat', 'completion']);
    assert.equal(tree.find('Zai/Small')?.isPinned, true);
    assert.deepEqual(
      tree.roots.map(({ newCount }) => newCount),
      [0, 0, 1, 0, 0, 0],
    );
  });
});
