import * as l10n from '@vscode/l10n';
import { join } from 'node:path';
import { env } from 'vscode';
import type { OwnToolFault } from '../../../core/conversation/ownTool';
import { createJsonFile } from '../../../core/storage/storedFile';
import { numberText } from '../../../platform/displayText';
import { jsonSyntaxWords } from '../../../platform/errors/jsonSyntaxMessages';
import { setAsideReporter } from '../../../platform/errors/reportUnreadable';
import { UserError } from '../../../platform/errors/userError';
import type { Services } from '../../../services/services';
import { restrictedMessage } from '../chatMessages';
import type { EditorTools } from './toolAccess';
import { createToolSettings, readOwnToolFile, type ToolMessages, type ToolSettings } from './toolSettings';

/** Opens the tool settings over the extension's own storage. */
export function openToolSettings({ context, log }: Services, tools: EditorTools): ToolSettings {
  const path = join(context.globalStorageUri.fsPath, 'chat-tools.json');
  return createToolSettings(createJsonFile(path, readOwnToolFile, setAsideReporter(log)), tools, toolMessages());
}

/** The tools panel's messages. */
function toolMessages(): ToolMessages {
  return {
    ownGroup: l10n.t('Your tools'),
    missingGroup: l10n.t('Unavailable (not sent)'),
    restricted: restrictedMessage,
    notTaken: (model) => l10n.t("Tool calls don't work with {0}, so requests contain no tools.", shortName(model)),
    fault: faultText,
    tooMany: (limit) =>
      new UserError(
        l10n.t('Too many tools'),
        l10n.t('The limit per request is {0}. Deselect some first.', numberText(limit, env.language)),
      ),
    toolGone: () =>
      new UserError(
        l10n.t('This tool no longer exists'),
        l10n.t('Its extension or server has stopped, or the tool has been deleted in another window.'),
      ),
  };
}

function shortName(model: string): string {
  return model.slice(model.lastIndexOf('/') + 1) || model;
}

function faultText(fault: OwnToolFault): string {
  switch (fault.code) {
    case 'name.empty':
      return l10n.t('Enter a name. The model uses it to call the tool.');
    case 'name.pattern':
      return l10n.t('Use up to 64 letters, digits, underscores, and hyphens.');
    case 'name.taken':
      return l10n.t('Another of your tools has this name.');
    case 'schema.syntax':
      return jsonSyntaxWords(fault.what);
    case 'schema.notObject':
      return l10n.t('Enter a JSON object in braces.');
    case 'schema.typeNotObject':
      return l10n.t('The input schema must be an object. Set "type": "object" at the top level.');
    case 'schema.typeUnknown':
      return l10n.t('Use the type "string", "number", "integer", "boolean", "object", "array", or "null".');
    case 'schema.propertiesNotObject':
      return l10n.t('"properties" must be an object that maps names to schemas.');
    case 'schema.notSchema':
      return l10n.t('Expected a schema, which is an object, true, or false.');
    case 'schema.requiredNotNames':
      return l10n.t('"required" must be an array of names.');
    case 'schema.requiredUnknown':
      return l10n.t('"{0}" is required, but missing from the properties.', fault.what);
    case 'schema.enumNotList':
      return l10n.t('"enum" must be an array of values.');
  }
}
