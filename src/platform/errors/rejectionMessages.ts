import * as l10n from '@vscode/l10n';
import { env } from 'vscode';
import type { ApiError } from '../../core/api/errors';
import { foreign } from '../../core/text/foreignText';
import { numberText } from '../displayText';
import { chooseModel, limitAnswer, pageStep, retry, step } from './errorActions';
import { isOfChat, type Words } from './errorMessage';

/** Describes why the service rejected a request whose kind has no more specific words. */
export function rejectionWords(error: ApiError): Words {
  const { hint, parameter, status, code, fromService } = error.details;
  if (hint === 'verification') return verificationWords(error);
  if (hint === 'noImages') {
    return {
      title: l10n.t("This model doesn't support image input"),
      detail: l10n.t('Remove the images, or use another model.'),
      actions: otherModel(error),
    };
  }
  const ofTools = toolRejectionWords(error);
  if (ofTools) return ofTools;
  if (hint === 'noMemory') {
    return {
      title: l10n.t('The server has too little memory'),
      detail: l10n.t('Free up some memory, or use a smaller model.'),
      actions: otherModel(error),
    };
  }
  if (hint === 'otherEndpoint') {
    return {
      title: l10n.t("This model isn't available for chat"),
      detail: l10n.t('Use another model.'),
      actions: otherModel(error),
    };
  }
  if (hint === 'template') {
    return {
      title: l10n.t("The model doesn't accept this conversation"),
      detail: l10n.t(
        'The chat template rejects the roles. Start a conversation without a system prompt, or use another model.',
      ),
      actions: otherModel(error),
    };
  }
  const reason = fromService ? '' : l10n.t("The service didn't give a reason ({0}).", `${status ?? code ?? '?'}`);
  if (parameter === undefined)
    return { title: l10n.t('The service rejected the request'), detail: reason, actions: [] };
  return {
    title: l10n.t('The service rejected the parameter {0}', foreign(parameter)),
    detail: ofRequest.test(parameter) ? reason : l10n.t('Change or remove the parameter.'),
    actions: [],
  };
}

function toolRejectionWords(error: ApiError): Words | undefined {
  const { hint } = error.details;
  if (hint === 'noTools') {
    return {
      title: l10n.t("This model doesn't support tools"),
      detail: l10n.t('Turn off the tools, or use another model.'),
      actions: otherModel(error),
    };
  }
  if (hint === 'noToolParser') {
    return {
      title: l10n.t("The server isn't set up for tools"),
      detail: l10n.t(
        'Turn off the tools, or start vLLM with --enable-auto-tool-choice and --tool-call-parser, llama.cpp with --jinja.',
      ),
      actions: [],
    };
  }
  if (hint === 'toolSchema') {
    return {
      title: l10n.t("The service doesn't accept a tool's parameters"),
      detail: l10n.t('Turn off that tool, or use another model.'),
      actions: otherModel(error),
    };
  }
  if (hint !== 'badCall') return undefined;
  return {
    title: l10n.t('The model returned an invalid tool call'),
    detail: l10n.t('Try again, or use another model.'),
    actions: [retry(), ...otherModel(error)],
  };
}

/** Request properties that users do not know as parameters. */
const ofRequest = /^(stream|messages|input|contents?|role|model)/;

export function permissionWords(error: ApiError): Words {
  const { hint, status, isFree, service } = error.details;
  if (hint === 'verification') return verificationWords(error);
  if (hint === 'webPage') {
    return {
      title: l10n.t('Blocked before reaching the service'),
      detail: l10n.t('A firewall or gateway rejected the request ({0}). Try another network or proxy.', `${status}`),
      actions: [step('proxySetting')],
    };
  }
  return {
    title: l10n.t("Your account doesn't have permission for this"),
    detail: isFree
      ? l10n.t("Check your key's permissions on the server.")
      : l10n.t("Check your key's permissions in the service's console."),
    actions: [...pageStep('getKey', service), ...pageStep('verifyIdentity', service)],
  };
}

function verificationWords({ details: { service } }: ApiError): Words {
  return {
    title: l10n.t("Your account isn't verified"),
    detail: l10n.t("Verify your identity or organization in the service's console."),
    actions: pageStep('verifyIdentity', service),
  };
}

export function balanceWords({ details: { affordableTokens, isFree, hint, service } }: ApiError): Words {
  if (hint === 'spendingLimit' && !isFree) {
    return {
      title: l10n.t('Spending limit reached'),
      detail: l10n.t("Raise the limit in the service's console."),
      actions: pageStep('addCredit', service),
    };
  }
  if (affordableTokens !== undefined) {
    return {
      title: l10n.t('Balance too low for the longest possible response'),
      detail: l10n.t(
        "Your balance covers {0} tokens. Lower max_tokens, or add credit in the service's console.",
        numberText(affordableTokens, env.language),
      ),
      actions: [limitAnswer(affordableTokens), ...pageStep('addCredit', service)],
    };
  }
  return {
    title: l10n.t('Out of credit'),
    detail: isFree
      ? l10n.t('Your key or account reached its spending limit. Raise it on the server.')
      : l10n.t("Add credit in the service's console."),
    actions: pageStep('addCredit', service),
  };
}

export function moderationWords(error: ApiError): Words {
  return {
    title: l10n.t('The input was flagged'),
    detail: l10n.t('Change the text or attachments.'),
    actions: otherModel(error),
  };
}

export function regionWords(): Words {
  return {
    title: l10n.t('Unavailable in your country or region'),
    detail: l10n.t('Use a proxy, or another service.'),
    actions: [step('proxySetting'), step('switchAccount')],
  };
}

export function tooLongWords(error: ApiError): Words {
  return {
    title: l10n.t('Text too long for this model'),
    detail: isOfChat(error)
      ? l10n.t('Start a new conversation, or lower max_tokens.')
      : l10n.t('Shorten the text, or use another model.'),
    actions: otherModel(error),
  };
}

export function tooLargeWords({ details: { endpoint = '', status } }: ApiError): Words {
  const number = `${status ?? 413}`;
  return {
    title: l10n.t('Request too large for the server'),
    detail: /\/(files|voice|transcriptions)$/.test(endpoint)
      ? l10n.t('The server or a proxy rejected the file ({0}). Upload a smaller file.', number)
      : l10n.t('The server or a proxy rejected the request ({0}). Remove attachments, or shorten the text.', number),
    actions: [],
  };
}

const otherModel = ({ details: { model } }: ApiError) => (model === undefined ? [] : [chooseModel()]);
