-- Everything an account was given, also by groups that are switched off and can be switched on again. Decides who stands
-- above whom; `permissoes_efetivas` decides what an account may do now.
create view permissoes_atribuidas as
  select usuario_id, permissao_id from usuarios_permissoes
  union
  select ug.usuario_id, gp.permissao_id
    from usuarios_grupos ug join grupos_permissoes gp on gp.grupo_id = ug.grupo_id;

-- Failures are counted by source over all accounts, too.
create index falhas_de_login__origem on falhas_de_login (origem, instante);

-- Refusals that need no account, counted by source and minute. Becomes one record of the audit when the minute is over.
create table recusas (
  minuto timestamptz not null,
  acao text not null,
  origem text not null,
  total integer not null default 1,
  -- Of the first of them.
  endereco_ip text,
  request_id text not null,
  constraint recusas__pk primary key (minuto, acao, origem)
);
