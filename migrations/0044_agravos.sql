-- Diseases as data: versioned definitions, and the codes that mean the same in all of them.

create table vocabulario (
  lista text not null,
  codigo text not null,
  rotulo text not null,
  grupo text not null,
  -- Classifications: counted among the severe ones.
  grave boolean not null default false,
  ordem smallint not null,
  -- Of every installation, not brought by a definition of its own.
  protegido boolean not null default false,
  constraint vocabulario__pk primary key (lista, codigo)
);

create table agravo_definicoes (
  codigo text not null,
  versao integer not null,
  definicao jsonb not null,
  estado text not null
    constraint agravo_definicoes__estado__known check (estado in ('rascunho', 'ativa', 'substituida')),
  -- Of the canonical JSON: the same definition again makes no version.
  resumo_sha256 bytea not null,
  criado_por_id integer,
  criado_por_nome text,
  criado_em timestamptz not null,
  ativada_em timestamptz,
  constraint agravo_definicoes__pk primary key (codigo, versao)
);
create unique index agravo_definicoes__ativa on agravo_definicoes (codigo) where estado = 'ativa';

alter table tipos_agravo
  add column ativo boolean not null default true,
  add column protegido boolean not null default false;
update tipos_agravo set protegido = true;

-- Instances read the definitions again within a second.
create function avisar_agravos() returns trigger language plpgsql as $$
begin
  perform pg_notify('agravos', '');
  return null;
end
$$;
create trigger agravo_definicoes__aviso after insert or update or delete on agravo_definicoes
  for each statement execute function avisar_agravos();
create trigger tipos_agravo__aviso after insert or update or delete on tipos_agravo
  for each statement execute function avisar_agravos();

alter table casos
  drop constraint casos__tipo_agravo__known,
  add column definicao_versao integer not null default 1;

-- Refuses cases of an unknown disease, once for each statement: a foreign key would look up every row of an import.
create function conferir_tipo_agravo() returns trigger language plpgsql as $$
declare
  desconhecido text;
begin
  select n.tipo_agravo into desconhecido
  from (select distinct tipo_agravo from novos) n
  where not exists (select from tipos_agravo t where t.codigo = n.tipo_agravo)
  limit 1;
  if desconhecido is not null then
    raise exception using errcode = 'check_violation', constraint = 'casos__tipo_agravo__known',
      table = 'casos', message = 'unknown disease';
  end if;
  return null;
end
$$;
create trigger casos__tipo_agravo__insert after insert on casos
  referencing new table as novos for each statement execute function conferir_tipo_agravo();
create function conferir_novo_tipo_agravo() returns trigger language plpgsql as $$
begin
  if not exists (select from tipos_agravo t where t.codigo = new.tipo_agravo) then
    raise exception using errcode = 'check_violation', constraint = 'casos__tipo_agravo__known',
      table = 'casos', message = 'unknown disease';
  end if;
  return null;
end
$$;
create trigger casos__tipo_agravo__update after update of tipo_agravo on casos
  for each row when (old.tipo_agravo is distinct from new.tipo_agravo) execute function conferir_novo_tipo_agravo();
