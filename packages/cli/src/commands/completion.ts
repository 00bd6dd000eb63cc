import { type Command, defineCommand, type Options, UsageError } from '../command.ts';
import { COMMON_OPTIONS } from '../settings.ts';

const SHELLS = { bash, zsh, fish } as const;

const HOW = {
  bash: 'source <(agent-faculties completion bash)',
  zsh: 'source <(agent-faculties completion zsh)',
  fish: 'agent-faculties completion fish | source',
} as const;

export const command = defineCommand({
  name: 'completion',
  summary: `What a shell completes: ${Object.values(HOW).join('; ')}`,
  usage: 'bash | zsh | fish',
  options: {},
  run: async ({ edge, commands, positionals: [shell = ''] }) => {
    const script = Object.hasOwn(SHELLS, shell) ? SHELLS[shell as keyof typeof SHELLS] : null;
    if (!script) throw new UsageError(`Name a shell: ${Object.keys(SHELLS).join(', ')}.`);
    edge.out(script(await commands()));
    return 0;
  },
});

function optionsOf(command: Command): string[] {
  return Object.keys(completed(command)).map((name) => `--${name}`);
}

/** A command that passes its arguments on takes no common option but --help. */
function completed({ options, passesArguments }: Command): Options {
  return passesArguments ? { help: COMMON_OPTIONS.help, ...options } : { ...COMMON_OPTIONS, ...options };
}

function bash(commands: readonly Command[]): string {
  const cases = commands.map((one) => `    ${one.name}) words='${optionsOf(one).join(' ')}' ;;`);
  return `_agent_faculties() {
  local words current=\${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${commands.map(({ name }) => name).join(' ')}' -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
  esac
}
complete -o default -F _agent_faculties agent-faculties
`;
}

function zsh(commands: readonly Command[]): string {
  const names = commands.map(({ name, summary }) => `    '${name}:${quoted(summary)}'`);
  const cases = commands.map((one) => `    ${one.name}) compadd -- ${optionsOf(one).join(' ')} ;;`);
  return `#compdef agent-faculties
_agent_faculties() {
  local -a commands=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  if [[ $words[CURRENT] != -* ]]; then
    _files
    return
  fi
  case $words[2] in
${cases.join('\n')}
  esac
}
compdef _agent_faculties agent-faculties
`;
}

function fish(commands: readonly Command[]): string {
  const isFirst = '__fish_use_subcommand';
  const lines = commands.flatMap((one) => [
    `complete -c agent-faculties -n ${isFirst} -f -a ${one.name} -d '${quoted(one.summary)}'`,
    ...Object.entries(completed(one)).map(
      ([name, { help, type }]) =>
        `complete -c agent-faculties -n '__fish_seen_subcommand_from ${one.name}' -l ${name}${type === 'string' ? ' -r' : ''} -d '${quoted(help)}'`,
    ),
  ]);
  return `${lines.join('\n')}\n`;
}

/** A text that can stand inside single quotes in all three shells. */
function quoted(text: string): string {
  return text.replaceAll("'", '’').replaceAll(':', '\\:');
}
