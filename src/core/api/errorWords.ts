/** How servers say that the text of a request may not be sent to a model. */
export const moderationWords = new RegExp(
  [
    String.raw`requires moderation on|(input|prompt|content|request) (was |is |has been )?(flagged|blocked by)|\bflagged (as|for|by)\b`,
    String.raw`content[ _-](policy|filter|management policy)|safety (system|polic)|usage polic(y|ies)|sensitive (content|words?|information)`,
    'inappropriate content|prohibited content|moderation (blocked|failed)|violates (our )?usage guidelines',
    // Portkey
    String.raw`guardrail checks .{0,40}failed`,
    // DeepSeek, Moonshot; Zhipu and others
    'content exists risk|considered high risk|敏感内容|敏感信息|违规内容|内容安全',
  ].join('|'),
  'i',
);

/** How servers say that they are not offered where the connection comes from. */
export const regionWords =
  /country, region,? or territory|\byour (country|region|location) is not supported|(not|n't) (available|supported|offered|allowed) (in|from|for) (your|this|the user's) (current )?(country|region|location)|\buser location is not supported/i;

/** How servers say that a chat template rejects a conversation. */
export const templateWords = new RegExp(
  [
    String.raw`\bjinja\b|raise_exception|\bchat template\b|roles must alternate|alternat\w+ (between |with )?["']?user["']?( and |/)["']?assistant`,
    String.raw`\b(system|tool|developer|function) (role|messages?|prompt)s? (is |are )?(not|un)[ -]?(supported|allowed)|(not|n't) support (the )?["']?(system|tool|developer)["']? (role|messages?|prompt)`,
    String.raw`unexpected role|role ["']?\w+["']? (is )?not (supported|allowed)|(last|first) message must (be|have)|expected last role`,
    // llama.cpp, which names the position in the template; Perplexity
    String.raw`\bat row \d+, column \d+|alternate with assistant`,
  ].join('|'),
  'i',
);

/** How servers say that a model accepts no images. */
export const noImagesWords = new RegExp(
  [
    String.raw`image input is not (supported|enabled)|^(?!audio\b).*\bmmproj\b|\b(does not|doesn't) support (the )?(image|vision|multi-?modal)`,
    'no endpoints found that support image|is not a (vision|multi-?modal) model|model is not multi-?modal|at most 0 image',
    // OpenAI; DeepSeek, whose parser knows no images; Ollama
    String.raw`vision (is|are) not (enabled|supported)|(does not|doesn't) have vision|\bimages? (is|are) not supported|image_url\W{0,2} is not supported`,
    String.raw`input tag \W?image_url|不支持(图片|图像|视觉)`,
    String.raw`image_url is only supported by|unknown variant \W?image_url|missing data required for image input`,
  ].join('|'),
  'i',
);

const toolWords = String.raw`(?:tools?|(?:tool|function)s?[ _-]?(?:calling|calls?|use|choice)|functions)\b`;

/** How servers say that a model accepts no tools at all. */
export const noToolsWords = new RegExp(
  [
    String.raw`\b(?:does not|doesn't|do not|don't) support \W?${toolWords}(?! (?:role|message|prompt)|[^.]{0,20} without\b)`,
    String.raw`(?:^|[:.] )\W?${toolWords}\W? (?:is|are) not (?:supported|enabled|available)\b(?! (?:when|while|together))`,
    String.raw`no endpoints found that support (?:tool use|the provided 'tool_choice')|not supported for .{0,20}function calling|不支持(工具|函数)`,
  ].join('|'),
  'i',
);

/** How vLLM and llama.cpp say that they were started without the option for tools. */
export const noToolParserWords = /--enable-auto-tool-choice|--tool-call-parser|requires --jinja\b/i;

/** How services say that a model wrote a tool call that cannot be used. */
export const badCallWords =
  /failed to call a function|tool call validation failed|model did not call a tool|^(?!.*generate json).*failed_generation|failed to parse tool call(?! arguments)|error parsing tool call|^xml syntax error on line \d+.*<\/?(?:parameter|function|tool)|failed to parse input at pos \d+:.*(?:tool|function|invoke)/i;

/** How llama.cpp says that it can't use a part of the conversation: the input of a call that is not JSON, or audio. */
export const badInputWords = /failed to parse tool call arguments|audio input is not supported/i;

/** How services say that a model does not answer chats at this endpoint. */
export const otherEndpointWords =
  /\bnot accessible via the \S+ endpoint|only supported in v1\/responses|\bnot a chat model\b|operation does not work with the specified model/i;

/** How services say that they do not accept the schema of a tool's input. */
export const toolSchemaWords =
  /invalid schema for function|input_schema\b.{0,80}(?:not support|invalid|required)|unknown name .{1,80} at 'tools\[|function_declarations\[\d+\]\.parameters|tools?\.\d+\S*\.(?:input_?schema|parameters)\b|tools\[\d+\]\.(?:function\.)?parameters\b|\bfunctionDeclaration\b.{0,80}\bschema\b|json schema conversion failed/i;

/** How Ollama and LM Studio say that a model does not fit into the memory. */
export const noMemoryWords =
  /requires more system memory|insufficient system resources|unable to allocate \S+ buffer|ErrorOutOfDeviceMemory|not enough (gpu |system )?memory to load|cudaMalloc failed: out of memory/i;

export const verificationWords =
  /must be verified|verify (your |the )?(identity|organi[sz]ation|account|phone)|real[- ]name|实名/i;

/** How services say that the account has too little credit. Google says the first of limits per minute and day too. */
export const quotaWords =
  /exceeded your current quota(?!.*(retry in|per ?(minute|day)|free_tier))|free_tier\w*, limit: 0\b/is;

/** How services say that the account has no more credit, or has reached a limit of its own. */
export const creditWords = new RegExp(
  [
    String.raw`\bbalance is insufficient|insufficient[ _](account |user )?(balance|credits?|funds|quota)|\bcan only afford\b|\bcredit balance is too low`,
    String.raw`\bout of credits?\b|credits? (or licenses|are depleted)|used all available credits|overdue balance|account is in good standing`,
    // Alibaba, Cloudflare
    'free tier of the model has been exhausted|free allocation of',
    // Together, Novita, New API
    String.raw`\bcredit limit exceeded\b|\bnot[ _]enough[ _](balance|credits?)\b|\bquota is not enough\b`,
    // Mistral; Watsonx
    String.raw`\bquota exceeded for (this|the) (token|key)\b`,
    'inactive subscription|quota of tokens has been reached|reached its token quota|余量已用尽',
    // xAI; Moonshot and Fireworks; Anthropic
    String.raw`(does not|doesn't) have any credits|is suspended, please check your plan|extra usage is required`,
    '余额不足|额度不足|额度已用尽|额度失败|欠费',
  ].join('|'),
  'i',
);

/** How services say that spending has reached a limit that its owner set. */
export const spendingLimitWords =
  /\bapi usage limits\b|\bspend(ing)? (limit|cap)\b|\bkey limit exceeded\b|\bset inference limit\b|(?<!thinking )\bbudget (has been |is )?(exceeded|exhausted)\b|\b(exceeded|over|crossed) ((its|their|the|your) )?budget\b|\bExceeded(Token)?Budget\b/i;

/** The names of services for the usage of a plan. */
export const planLimitTypes = ['usage_limit_reached', 'FreeUsageLimitError', 'GoUsageLimitError'] as const;

/** How services say that the usage which a plan includes for some hours, a day, a week or a month is reached. */
export const planLimitWords = new RegExp(
  [
    // Z.ai, Kimi, Ollama, MiniMax, Codex, OpenCode
    String.raw`\busage limit\b.{0,40}\b(reached|exceeded|for this)|\b(reached|exceeded|hit) your (\S+ ){0,4}(usage|session) limit\b`,
    String.raw`\b(hourly|daily|weekly|monthly)\b.{0,30}\b(limit|quota|allowance|cap)\b.{0,30}\b(reached|exceeded|exhausted|used up)\b`,
    String.raw`\b(reached|exceeded|exhausted|hit|used up) (your|the|its|today's) (\S+ ){0,3}(hourly|daily|weekly|monthly|\d+-hour)\b.{0,30}\b(limit|quota|allowance|cap)\b`,
    // Azure's gateway
    'out of call volume quota',
    // Volcengine; Alibaba; ModelScope; Cohere; Google; Baidu; other gateways
    String.raw`\b\d+-hour (usage|request) (quota|limit)|\b(hour|week|month) allocated quota exceeded|exceeded today's quota`,
    String.raw`trial key,? which is limited to .{0,40}\bmonth\b|exhausted your capacity on this model|\bquota will reset after\b`,
    String.raw`\bdaily (free )?(request|quota|usage|call)s? limit\b|\bfree quota used\b|\bfree usage (limit )?exceeded\b`,
    '(使用上限|用量上限|使用额度上限).{0,12}(重置|恢复)|达到.{0,12}(小时|每?周|每?月|每?日|当日|今日).{0,8}(上限|限额|额度)|(今日|当日|每日|本周|本月).{0,10}(额度|配额|次数|限额).{0,6}(用完|用尽|耗尽|已达|超出)',
  ].join('|'),
  'i',
);

/** How gateways say that none of their providers has the model. */
export const noChannelWords = /无可用渠道|\bno available channels? for model\b/i;

/** How LM Studio and TabbyAPI say that no model is loaded. */
export const notLoadedWords = /\bno models? (is |are )?(currently )?loaded\b|^model (was |has been )?unloaded/i;

/** How gateways say, with status 503, that an account is for other programs. */
export const otherClientsWords =
  /\bonly allows .{0,40} clients\b|only authorized for use with|meets your routing requirements/i;

/** How services say that somebody has to allow a model for the account first. */
export const notAllowedWords = new RegExp(
  [
    'must be verified to use|has not activated the model|requires terms acceptance|organization has been (restricted|disabled)',
    // OpenAI; Bedrock; Anthropic; OpenRouter
    "missing scopes:|insufficient permissions for this operation|don't have access to the model with",
    'use case details have not been submitted|not (yet )?available for this subscription|all providers have been ignored',
    String.raw`matching your data policy|no allowed providers are available|(key|team|user|project|organization) not allowed to access model|无权使用模型|服务未开通|\bplan (does )?not support model\b`,
  ].join('|'),
  'i',
);

/** How services say that they are busy with a status for limits. */
export const overloadedWords =
  /\b(engine|servers?|model|service) (is|are) (currently )?overloaded\b|\bserver overload\b|currently over capacity|capacity temporarily exceeded|experiencing high (traffic|demand)|temporarily overloaded|\bat (maximum )?capacity\b|\bmodel busy\b|flex tier capacity exceeded|\bDEGRADED function\b|model is not ready for inference|负载已饱和|负载过高|服务繁忙|访问量过大/i;

/** How servers say that a text exceeds the model's context. */
export const tooLongWords = new RegExp(
  [
    'max_seq_len|max_prompt_tokens|model token limit',
    // OpenAI, vLLM, SGLang, Together, Mistral, xAI
    'maximum context length|context length exceeded|maximum prompt length|maximum model length',
    "exceeds the context window|longer than the model's context length|model's context length is only",
    // llama.cpp, Ollama, LM Studio
    'exceeds? (the )?(available )?context size|context size (has been )?exceeded|exceed(s|ed)? (the )?(max(imum)? )?context (length|window|limit)',
    'loaded with context length of|greater than the context length|reached context length',
    // Anthropic, Bedrock, Google, text-generation-inference
    String.raw`\bbut the context window is \d|\binput tokens (limit exceeded|exceed)|\btotal tokens\b.{0,40}\bexceed`,
    'prompt (is )?too long|(input|prompt) is too long for|exceeds the maximum number of tokens',
    '`inputs` (tokens|must have less than)',
    // OpenAI, of characters; Google; Cohere; Perplexity and Zhipu; Alibaba; Doubao; MiniMax; Copilot; StepFun
    String.raw`\b(messages|input)\b.{0,40}: string too long|input token count is \d+ but|number of tokens in the prompt cannot exceed`,
    String.raw`prompt exceeds max|range of input length should be|exceed max message tokens|input length \d+ exceeds`,
    String.raw`context window exceeds limit|prompt token count of \d+ exceeds|greater than the model context length`,
    // llama.cpp, amid an answer
    'kv cache is full|find a (memory|kv) slot for',
    // LM Studio; Cloudflare, with status 413
    String.raw`n_keep .{0,20}>= n_ctx|model context window limit`,
    // GitHub Models, with status 413
    String.raw`max size: \d+ tokens`,
    // Vercel
    String.raw`\binput too long: \d+ tokens`,
    // Baidu
    String.raw`\bprompt tokens too long\b`,
    '(输入|prompt|token|上下文).{0,20}(超长|过长|超过|超出)',
  ].join('|'),
  'i',
);

/** How servers say that they have no such model. */
export const unknownModelWords = new RegExp(
  [
    String.raw`\bmodel\b.{0,200}\b((does )?not exist|not found|no longer available|has been (deprecated|decommissioned|retired)|was removed on|end of (its )?life)\b`,
    // Anthropic says no more than its name; Google names it as a path.
    String.raw`^model: \S+$|^models/\S+ is not found`,
    // Mistral and Infinity; OpenRouter; Together; Moonshot; llama-swap
    String.raw`\binvalid model\b|model identifier is invalid|^function '.{1,80}': not found for account|\bunknown model\b|is not a valid model|\bno endpoints found for\b|unable to access model|not found the model`,
    // Coding plans; llama-swap; LiteLLM
    'real modelID|find suitable handler for model|llm provider not provided|no healthy deployments for this model|checking the specified model and version',
    // GitHub Models; Cloudflare; Hugging Face; NVIDIA
    String.raw`\bunavailable model\b|\bno such model\b|not supported by any provider|^function id .{0,80} not found for account`,
    // Azure; Bedrock; Zhipu
    String.raw`does not work with the specified model|on-demand throughput isn|model is marked by provider as legacy|模型不存在`,
  ].join('|'),
  'is',
);

/** How gateways say, with status 500, that the provider behind them has no such endpoint. Portkey names its functions. */
export const noFunctionWords =
  /^(messages|complete|completions?|chat ?completions?|chatComplete|rerank|embed(dings)?|imageGenerate|createSpeech|createTranscription|(create|list|retrieve|cancel)Batch(es)?|(upload|list|get|delete|retrieve)Files?(Content)?) (is|are) not supported by (?!.*\bmodel\b)/i;

/** How servers say that they have no such path. Whatever else has these words is about a path too. */
export const noRouteWords = new RegExp(
  [
    // Go; Express; OpenAI and its gateways; Groq; LM Studio, with status 200
    String.raw`^"?404 page not found"?$|^cannot (get|post|delete) /|^invalid (url|method for url) \(|^unknown request url|^unexpected endpoint or method`,
    // Kong; Cloudflare, with status 400; KoboldCpp; Fastify; AWS, with status 403
    String.raw`\bno route (matched|for that uri)|this endpoint does not exist|^route \S+ not found$|^missing authentication token$|\bUnknownOperationException\b`,
  ].join('|'),
  'i',
);
