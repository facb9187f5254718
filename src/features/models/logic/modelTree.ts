import { groupModels, searchModels } from '../../../core/catalogue/groupModels';
import type { GroupKey } from '../../../core/catalogue/groupModels';
import { modelJobs } from '../../../core/catalogue/model';
import type { CatalogueModel, ModelJob } from '../../../core/catalogue/model';
import type { CatalogueState } from '../../../services/models/modelCatalogue';

/** `vanished` contains models that existed at the last load and are no longer offered. */
export type TreeGroupKey = 'pinned' | 'vanished' | GroupKey;

export interface GroupNode {
  readonly kind: 'group';
  readonly id: string;
  readonly key: TreeGroupKey;
  /** Number of models below it. */
  readonly count: number;
  readonly newCount: number;
  readonly expanded: boolean;
  readonly children: readonly (VendorNode | ModelNode)[];
}

export interface VendorNode {
  readonly kind: 'vendor';
  readonly id: string;
  readonly vendor: string | undefined;
  readonly newCount: number;
  readonly expanded: boolean;
  readonly children: readonly ModelNode[];
}

export interface ModelNode {
  readonly kind: 'model';
  readonly id: string;
  readonly modelId: string;
  /** `undefined` if it is no longer offered. */
  readonly model: CatalogueModel | undefined;
  /** Whether a row above it shows its vendor. */
  readonly belowVendor: boolean;
  readonly isNew: boolean;
  readonly isPinned: boolean;
  readonly defaultFor: readonly ModelJob[];
}

export type ModelTreeNode = GroupNode | VendorNode | ModelNode;

export interface ModelTree {
  readonly roots: readonly GroupNode[];
  parentOf(node: ModelTreeNode): ModelTreeNode | undefined;
  /** Returns the model's first row, outside the pins if possible. */
  find(modelId: string): ModelNode | undefined;
}

/**
 * Builds the rows of the Models view: pins, models that vanished, then sub-type, vendor, model. Row ids are stable across a refresh, so
 * that expanded rows stay expanded; a filtered tree has separate ids, because it expands everything.
 */
export function createModelTree(state: CatalogueState, filter: string): ModelTree {
  const isFiltered = filter.trim() !== '';
  const prefix = isFiltered ? 'filtered:' : '';
  const models = searchModels(state.models, filter);
  const toNode = createNodeMaker(state, prefix);

  const typed = groupModels(models).map((group): GroupNode => {
    const children = group.vendors.map(({ vendor, models: members }): VendorNode => {
      const nodes = members.map((model) => toNode(group.key, model.id, { model, belowVendor: true }));
      const id = `${prefix}vendor:${group.key}:${vendor ?? ''}`;
      return { kind: 'vendor', id, vendor, newCount: countNew(nodes), expanded: isFiltered, children: nodes };
    });
    const newCount = children.reduce((sum, vendor) => sum + vendor.newCount, 0);
    return { ...groupOf(group.key, prefix), count: group.count, newCount, expanded: isFiltered, children };
  });
  const roots = [...flatGroups(state, filter, toNode, prefix), ...typed];
  return { roots, ...lookUps(roots) };
}

interface NodePlace {
  readonly model: CatalogueModel | undefined;
  readonly belowVendor: boolean;
}

type NodeMaker = (group: TreeGroupKey, modelId: string, place: NodePlace) => ModelNode;

function createNodeMaker({ changes, pins, defaults }: CatalogueState, prefix: string): NodeMaker {
  return (group, modelId, { model, belowVendor }) => ({
    kind: 'model',
    id: `${prefix}model:${group}:${modelId}`,
    modelId,
    model,
    belowVendor,
    isNew: changes.appeared.has(modelId),
    isPinned: pins.includes(modelId),
    defaultFor: modelJobs.filter((job) => defaults[job] === modelId),
  });
}

/** Returns the groups of pinned and vanished models: few, so they have no vendor rows and are expanded. */
function flatGroups(state: CatalogueState, filter: string, toNode: NodeMaker, prefix: string): readonly GroupNode[] {
  const offered = new Map(state.models.map((model) => [model.id, model]));
  const flat = (key: 'pinned' | 'vanished', ids: readonly string[]): readonly GroupNode[] => {
    const shown = searchModels(
      ids.map((id) => offered.get(id) ?? { id, types: [], subTypes: [] }),
      filter,
    );
    if (shown.length === 0) return [];
    const children = shown.map(({ id }) => toNode(key, id, { model: offered.get(id), belowVendor: false }));
    const newCount = countNew(children);
    return [{ ...groupOf(key, prefix), count: children.length, newCount, expanded: true, children }];
  };
  return [...flat('pinned', state.pins), ...flat('vanished', state.changes.vanished)];
}

function groupOf(key: TreeGroupKey, prefix: string) {
  return { kind: 'group' as const, id: `${prefix}group:${key}`, key };
}

function countNew(nodes: readonly ModelNode[]): number {
  return nodes.filter(({ isNew }) => isNew).length;
}

function lookUps(roots: readonly GroupNode[]) {
  const parents = new Map<string, ModelTreeNode>();
  const places = new Map<string, ModelNode>();
  const walk = (node: ModelTreeNode) => {
    if (node.kind === 'model') {
      const before = places.get(node.modelId);
      if (!before || !before.belowVendor) places.set(node.modelId, node);
      return;
    }
    for (const child of node.children) {
      parents.set(child.id, node);
      walk(child);
    }
  };
  for (const root of roots) walk(root);
  return {
    parentOf: ({ id }: ModelTreeNode) => parents.get(id),
    find: (modelId: string) => places.get(modelId),
  };
}
