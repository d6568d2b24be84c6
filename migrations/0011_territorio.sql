-- Territory of an account: the places that bound what it reads, writes and manages. No row: the whole country.
create table usuarios_territorios (
  usuario_id integer not null
    constraint usuarios_territorios__usuario_id__exists references usuarios on delete cascade,
  nivel text not null
    constraint usuarios_territorios__nivel__known check (nivel in ('uf', 'regiao_saude', 'municipio')),
  codigo text not null,
  constraint usuarios_territorios__pk primary key (usuario_id, nivel, codigo)
);
create index usuarios_territorios__codigo on usuarios_territorios (codigo);
create index usuarios_territorios__uf on usuarios_territorios ((left(codigo, 2)));

create trigger usuarios_territorios_acesso after insert or update or delete on usuarios_territorios
  for each row execute function avisar_acesso_do_usuario('usuario_id');

-- Places of an account as `uf:PE`, in one order.
create function territorios_de(usuario integer) returns text[] language sql stable as $$
  select array(
    select (nivel || ':' || codigo) collate "C" from usuarios_territorios where usuario_id = usuario order by 1)
$$;

-- Places that the job's owner was bound to when it was requested, in the same form; null: to none.
alter table jobs add column territorios text[];

-- Municipality that notified the case: its teams may read and correct the case although the patient lives elsewhere.
alter table casos add column municipio_notificacao integer;
update casos set municipio_notificacao = (dados ->> 'municipio_notificacao')::integer,
  dados = ((dados::jsonb) - 'municipio_notificacao')::json
where dados ->> 'municipio_notificacao' is not null;
create index casos__notificacao on casos (municipio_notificacao, data_notificacao desc, id desc)
  where excluido_em is null and municipio_notificacao is not null;

-- Municipalities are counted over all time too: the total of an account's territory is one counter for each place, disease and
-- classification. Changes that are pending now come to both series with their roll-up.
insert into casos_contagens
select lugar, 'sempre', date '0001-01-01', tipo_agravo, classe, '', sum(total), sum(hospitalizados), sum(obitos)
from casos_contagens where serie = 'mes' and length(lugar) > 2
group by lugar, tipo_agravo, classe;

-- Reach of an event: municipalities of notification beside those of residence, which clients filter by; and for events that are
-- not about a case, the account they belong to.
alter table eventos add column notificacao integer[], add column dono_id integer;
alter table eventos_novos add column notificacao integer[], add column dono_id integer;

-- Reach of the event that a delivery repeats; null: unknown, and out of reach of every bound account.
alter table entregas add column alcance jsonb;

-- Places of the cases that an import wrote: to accounts of other territories it does not exist.
alter table importacoes
  add column estados text[] not null default '{}',
  add column municipios integer[] not null default '{}',
  add column notificacao integer[] not null default '{}';
update importacoes i set
  estados = array(select distinct c.estado_residencia from casos c
    where c.importacao_id = i.id and c.estado_residencia is not null),
  municipios = array(select distinct c.municipio_residencia from casos c
    where c.importacao_id = i.id and c.municipio_residencia is not null),
  notificacao = array(select distinct c.municipio_notificacao from casos c
    where c.importacao_id = i.id and c.municipio_notificacao is not null);
