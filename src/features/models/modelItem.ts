import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { env } from 'vscode';
import type { CapabilitySetting } from '../../core/capabilities/capabilities';
import { listedCapabilities } from '../../core/capabilities/modelCapabilities';
import { fitsJob, knownJobs } from '../../core/catalogue/jobs';
import { nameOf, modelTypes, subTypes } from '../../core/catalogue/model';
import type { CatalogueModel, ModelJob, ModelType, SubType } from '../../core/catalogue/model';
import type { CommandId } from '../../platform/commands';
import { absoluteTimeText, numberText } from '../../platform/displayText';
import { factsTooltip } from '../../platform/factsTooltip';
import type { GroupNode, ModelNode, ModelTreeNode, TreeGroupKey, VendorNode } from './logic/modelTree';
import { listText } from '../../protocol/formats';
import { labelled } from '../../protocol/sentences';
import type { MediaStart } from '../../services/media/media';
import { treeItem } from '../../platform/notify';

const groupIcons: Readonly<Record<TreeGroupKey, string>> = {
  pinned: 'pinned',
  vanished: 'history',
  chat: 'comment-discussion',
  embedding: 'symbol-array',
  reranker: 'list-ordered',
  'text-to-image': 'file-media',
  'image-to-image': 'file-media',
  'speech-to-text': 'mic',
  'text-to-video': 'device-camera-video',
  'type:text': 'comment-discussion',
  'type:image': 'file-media',
  'type:audio': 'unmute',
  'type:video': 'device-camera-video',
  other: 'symbol-misc',
};

/** `setting` is what the user has set about the models' capabilities. */
export function toModelTreeItem(node: ModelTreeNode, setting: CapabilitySetting = {}): vscode.TreeItem {
  switch (node.kind) {
    case 'group':
      return toGroupItem(node);
    case 'vendor':
      return toVendorItem(node);
    case 'model':
      return toModelItem(node, setting);
  }
}

function toGroupItem({ id, key, count, newCount, expanded }: GroupNode): vscode.TreeItem {
  const label = groupLabel(key);
  const item = treeItem(label, collapsible(expanded));
  item.id = id;
  item.contextValue = 'group';
  item.iconPath = new vscode.ThemeIcon(groupIcons[key]);
  item.description = countText(count, newCount);
  item.tooltip = labelled(label, modelsText(count));
  item.accessibilityInformation = { label: spokenGroup(label, count, newCount) };
  return item;
}

function toVendorItem({ id, vendor, newCount, expanded, children }: VendorNode): vscode.TreeItem {
  const label = vendor ?? l10n.t('Unknown vendor');
  const item = treeItem(label, collapsible(expanded));
  item.id = id;
  item.contextValue = 'vendor';
  item.iconPath = new vscode.ThemeIcon('organization');
  item.description = countText(children.length, newCount);
  item.tooltip = labelled(label, modelsText(children.length));
  item.accessibilityInformation = { label: spokenGroup(label, children.length, newCount) };
  return item;
}

function toModelItem(node: ModelNode, setting: CapabilitySetting): vscode.TreeItem {
  const { id, modelId, model, belowVendor, isNew, isPinned, defaultFor } = node;
  const { vendor, name, tier } = nameOf(modelId, model?.ownedBy);
  const marks = [
    belowVendor ? tier : [tier, vendor].filter(Boolean).join('/') || undefined,
    isNew ? l10n.t('new') : undefined,
    defaultFor.length > 0 ? l10n.t('default for {0}', jobsText(node)) : undefined,
    model ? undefined : l10n.t('no longer available'),
  ].filter((mark) => mark !== undefined);
  const item = treeItem(name);
  item.id = id;
  item.contextValue = contextOf(node);
  item.description = marks.join(' · ');
  item.iconPath = iconOf(node);
  item.tooltip = tooltipOf(node, setting);
  const command = model && openingCommand(model);
  if (command) {
    // The other commands open pages, which take no tree row.
    const start: MediaStart = { as: 'form', model: modelId };
    const what = command.startsWith('inferenceDesk.models.') ? node : start;
    item.command = { command, title: l10n.t('Open'), arguments: [what] };
  }
  item.accessibilityInformation = {
    label: listText([name, vendor, ...marks, isPinned ? l10n.t('pinned') : undefined], env.language),
  };
  return item;
}

/** Returns the context value for the menus. A model about which nothing is known may generate anything. */
function contextOf({ model, isPinned }: ModelNode): string {
  const made = model ? (['chat', 'rerank', 'image', 'video'] as const).filter((job) => fitsJob(model, job)) : [];
  return ['model', model ? 'offered' : 'vanished', isPinned ? 'pinned' : 'unpinned', ...made].join(' ');
}

/**
 * Returns the effect of a click: selects the model in the chat, opens the page for its purpose, or sets the default for it. Returns
 * `undefined` if it has no purpose.
 */
function openingCommand(model: CatalogueModel): CommandId | undefined {
  const commands = [
    ['chat', 'inferenceDesk.models.useInChat'],
    ['image', 'inferenceDesk.models.useInImages'],
    ['video', 'inferenceDesk.models.useInVideos'],
    ['rerank', 'inferenceDesk.rerank.open'],
    ['voice', 'inferenceDesk.voices.open'],
    ['transcription', 'inferenceDesk.voices.transcribe'],
    ['embedding', 'inferenceDesk.models.setDefault'],
  ] as const;
  return commands.find(([job]) => fitsJob(model, job))?.[1];
}

function iconOf({ model, isNew, isPinned, defaultFor }: ModelNode): vscode.ThemeIcon {
  if (!model) return new vscode.ThemeIcon('circle-slash', new vscode.ThemeColor('disabledForeground'));
  if (isNew) return new vscode.ThemeIcon('sparkle', new vscode.ThemeColor('charts.green'));
  if (defaultFor.length > 0) return new vscode.ThemeIcon('star-full');
  return new vscode.ThemeIcon(isPinned ? 'pinned' : 'circle-small');
}

function tooltipOf(node: ModelNode, setting: CapabilitySetting): vscode.MarkdownString {
  const { modelId, model, isNew, isPinned } = node;
  const { language } = vscode.env;
  const { vendor, tier } = nameOf(modelId, model?.ownedBy);
  const filtered = [...(model?.subTypes.map(subTypeLabel) ?? []), ...(model?.types.map(typeLabel) ?? [])];
  const jobs = model && knownJobs(model);
  const kinds = filtered.length > 0 ? filtered : (jobs?.map(jobLabel) ?? []);
  const isSaid = filtered.length > 0 || model?.jobs !== undefined;
  const known = model && fitsJob(model, 'chat') ? listedCapabilities(model, setting) : undefined;
  const tokens = (count: number | undefined) =>
    count === undefined ? undefined : l10n.t('{0} tokens', numberText(count, language));
  const notes = [
    isNew ? l10n.t('New since your last visit.') : undefined,
    model ? undefined : l10n.t('No longer listed by the service.'),
    model && !isSaid ? l10n.t("The service doesn't report the model's purpose.") : undefined,
    model && !isSaid && jobs ? l10n.t('Purpose inferred from the name.') : undefined,
    model && !isSaid && !jobs ? l10n.t('Possibly a chat model.') : undefined,
  ].filter((note) => note !== undefined);
  return factsTooltip(
    modelId,
    [
      [l10n.t('Name'), model?.displayName],
      [l10n.t('Vendor'), vendor],
      [l10n.t('Tier'), tier],
      [l10n.t('Owner'), model?.ownedBy],
      [l10n.t('Purpose'), listText(kinds, env.language) || undefined],
      [l10n.t('Default for'), jobsText(node) || undefined],
      [l10n.t('Context'), tokens(known?.contextTokens ?? model?.contextLength)],
      [l10n.t('Tools'), yesOrNo(known?.tools)],
      [l10n.t('Image input'), yesOrNo(known?.images)],
      [l10n.t('Reasoning'), yesOrNo(known?.thinking && known.thinking !== 'never')],
      [l10n.t('Maximum response length'), tokens(model?.maxOutputTokens)],
      [l10n.t('Created'), model?.created ? absoluteTimeText(model.created * 1000, language) : undefined],
      [l10n.t('Pinned'), isPinned ? l10n.t('yes') : undefined],
    ],
    notes,
  );
}

function yesOrNo(value: boolean | undefined): string | undefined {
  return value === undefined ? undefined : value ? l10n.t('yes') : l10n.t('no');
}

function jobsText({ defaultFor }: ModelNode): string {
  return listText(defaultFor.map(jobLabel), env.language);
}

function countText(count: number, newCount: number): string {
  const all = numberText(count, vscode.env.language);
  return newCount > 0 ? l10n.t('{0}, {1} new', all, numberText(newCount, vscode.env.language)) : all;
}

function spokenGroup(label: string, count: number, newCount: number): string {
  const news = newCount > 0 ? [l10n.t('{0} new', numberText(newCount, env.language))] : [];
  return listText([label, modelsText(count), ...news], env.language);
}

function modelsText(count: number): string {
  return count === 1 ? l10n.t('1 model') : l10n.t('{0} models', numberText(count, vscode.env.language));
}

function collapsible(expanded: boolean): vscode.TreeItemCollapsibleState {
  return expanded ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.Collapsed;
}

/** Returns the label of a group in the Models view. */
export function groupLabel(key: TreeGroupKey): string {
  if (key === 'pinned') return l10n.t('Pinned');
  if (key === 'vanished') return l10n.t('No longer available');
  if (key === 'other') return l10n.t('Other');
  const type = modelTypes.find((name) => key === `type:${name}`);
  if (type) return l10n.t('{0}, other', typeLabel(type));
  const subType = subTypes.find((name) => key === name);
  return subType ? subTypeLabel(subType) : key;
}

function subTypeLabel(subType: SubType): string {
  switch (subType) {
    case 'chat':
      return l10n.t('Chat');
    case 'embedding':
      return l10n.t('Embedding');
    case 'reranker':
      return l10n.t('Reranker');
    case 'text-to-image':
      return l10n.t('Text to image');
    case 'image-to-image':
      return l10n.t('Image to image');
    case 'speech-to-text':
      return l10n.t('Speech to text');
    case 'text-to-video':
      return l10n.t('Text to video');
  }
}

function typeLabel(type: ModelType): string {
  switch (type) {
    case 'text':
      return l10n.t('Text');
    case 'image':
      return l10n.t('Images');
    case 'audio':
      return l10n.t('Audio');
    case 'video':
      return l10n.t('Video');
  }
}

export function jobLabel(job: ModelJob): string {
  switch (job) {
    case 'chat':
      return l10n.t('Chat');
    case 'completion':
      return l10n.t('Completion');
    case 'rerank':
      return l10n.t('Rerank');
    case 'image':
      return l10n.t('Images');
    case 'video':
      return l10n.t('Videos');
    case 'voice':
      return l10n.t('Voices and speech');
    case 'embedding':
      return l10n.t('Embeddings');
    case 'transcription':
      return l10n.t('Transcription');
  }
}
