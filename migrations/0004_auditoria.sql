-- Audit.

-- Append-only, each row sealed over the one before. No foreign keys: rows outlive the records they name.
create table auditoria (
  id bigint constraint auditoria__pk primary key,
  data timestamptz not null,
  ator_id integer,
  ator_nome text,
  acao text not null,
  recurso text,
  recurso_id text,
  detalhes jsonb not null default '{}',
  endereco_ip text,
  request_id text,
  hash bytea not null
);
create index auditoria__data on auditoria (data desc, id desc);
create index auditoria__recurso on auditoria (recurso, recurso_id, id desc);
create index auditoria__ator on auditoria (ator_id, id desc);

-- Head of the chain. Writers lock this row, so the chain has the order of commits; it also reveals a truncated tail.
create table auditoria_fim (
  unica boolean constraint auditoria_fim__pk primary key default true constraint auditoria_fim__unica__one check (unica),
  ultimo_id bigint not null,
  ultimo_hash bytea not null
);
insert into auditoria_fim (ultimo_id, ultimo_hash) values (0, '');

create function recusar_alteracao() returns trigger language plpgsql as $$
begin
  raise exception 'a auditoria só aceita inclusões';
end $$;
create trigger auditoria_so_inclui before update or delete or truncate on auditoria
  for each statement execute function recusar_alteracao();

-- Refusals of requests without an account, aggregated by source and minute; each row becomes one audit record when its
-- minute is over.
create table recusas (
  minuto timestamptz not null,
  acao text not null,
  origem text not null,
  total integer not null default 1,
  -- Of the first refusal.
  endereco_ip text,
  request_id text not null,
  constraint recusas__pk primary key (minuto, acao, origem)
);
